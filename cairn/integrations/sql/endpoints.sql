-- This view shows every column except the secrets.
create or replace view public.webhook_endpoints with (security_invoker = true) as
    select id, company_id, kind, name, url, secret_made_at, previous_until, paused, paused_because, failing_since,
           last_error, created_at, send_sensitive
      from integrations.endpoints;
grant select, update (name, paused), delete on public.webhook_endpoints to authenticated;
grant select on public.webhook_endpoints to service_role;

-- Resuming an endpoint forgets its errors. Its deliveries are not changed, because there may be thousands: while it is paused,
-- none of them is claimed, and those that failed before it was resumed are due.
create or replace function integrations.pause_or_resume() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if not new.paused then
        new.paused_because := null;
        new.failing_since := null;
        new.last_error := null;
        new.next_probe_at := null;
        new.resumed_at := now();
    end if;
    return new;
end
$$;

create or replace trigger pause_or_resume before update of paused on integrations.endpoints
    for each row when (new.paused <> old.paused) execute function integrations.pause_or_resume();

-- The people of a suspended company cannot change its webhooks.
create or replace trigger refuse_suspended before update or delete on integrations.endpoints
    for each statement execute function accounts.refuse_suspended_statement();
