-- While an endpoint is paused, its deliveries have no next attempt. Those that failed before it was resumed are due since then.
create or replace view public.webhook_deliveries with (security_invoker = true) as
    select d.id, d.company_id, d.endpoint_id, d.kind,
           (select e.name from integrations.endpoints e where e.id = d.endpoint_id) as endpoint_name,
           d.event_id, d.event, d.waiver_id, d.session_id, d.status, d.attempts,
           (select case when d.status = 'waiting' and d.error is not null and d.tried_at < e.resumed_at then e.resumed_at
                        else d.next_try_at
                   end
              from integrations.endpoints e
             where e.id = d.endpoint_id and not e.paused) as next_try_at,
           d.answer, d.error, d.created_at, d.tried_at
      from integrations.deliveries d;
grant select on public.webhook_deliveries to authenticated, service_role;
