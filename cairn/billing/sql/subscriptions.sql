-- This view and public.invoices select from one table only, so that a write fails with "permission denied" and not with
-- "cannot update view".
create or replace view public.subscriptions with (security_invoker = true) as
    select id, plan, status, renews_at, is_ending, created_at,
           (select c.company_id from billing.customers c where c.id = customer_id) as company_id,
           (select c.provider from billing.customers c where c.id = customer_id) as provider
      from billing.subscriptions;
grant select on public.subscriptions to authenticated, service_role;

-- Returns the plan of the newest running subscription, or null.
create or replace function billing.plan_of(company uuid) returns text
    language sql stable security definer set search_path = ''
    begin atomic
        select s.plan
          from billing.subscriptions s
          join billing.customers c on c.id = s.customer_id
         where c.company_id = company and s.status in ('active', 'past_due')
         order by s.created_at desc
         limit 1;
    end;
grant execute on function billing.plan_of to service_role;

create or replace function billing.is_subscribed(person uuid) returns boolean
    language sql stable security definer set search_path = ''
    return exists (
        select from billing.customers c
          join billing.subscriptions s on s.customer_id = c.id and s.status in ('active', 'past_due')
         where c.user_id = person
            or c.company_id = (select p.company_id from accounts.people p where p.user_id = person));

-- Stores in the trials of these users whether they are subscribed. A subscription covers all users of a company.
create or replace function billing.update_trials(company uuid, person uuid) returns void
    language sql security definer set search_path = ''
    begin atomic
        update billing.trials t set subscribed = billing.is_subscribed(t.user_id)
         where (t.user_id = person or t.user_id in (select p.user_id from accounts.people p where p.company_id = company))
           and t.subscribed <> billing.is_subscribed(t.user_id);
    end;

create or replace function billing.subscription_changed() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    customer billing.customers := (select c from billing.customers c where c.id = new.customer_id);
begin
    perform billing.update_trials(customer.company_id, customer.user_id);
    perform jobs.raise_event('subscription.changed', jsonb_build_object(
        'customer_id', customer.id, 'company_id', customer.company_id));
    return null;
end
$$;

create or replace trigger subscription_changed after insert or update of status, plan on billing.subscriptions
    for each row execute function billing.subscription_changed();
