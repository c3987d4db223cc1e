-- A visitor can pay without an account. When a user with the same, proven email address signs in, the payments become
-- theirs. Anyone can pay with the address of another person, so a plan that was bought like this never replaces a plan that
-- the company or user has. The payment then stays without an owner, and the company and the operator are notified.
create or replace function billing.claim_payments() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    company  uuid := (select p.company_id from accounts.people p where p.user_id = new.user_id);
    customer uuid;
begin
    for customer in select c.id from billing.customers c
                     where c.email = lower(new.proven_email) and c.company_id is null and c.user_id is null
                     order by c.created_at, c.id loop
        if billing.has_open_subscription(array[customer])
           and billing.has_open_subscription(billing.customers_of(company, new.user_id)) then
            perform jobs.raise_event('payment.unclaimed', jsonb_strip_nulls(jsonb_build_object(
                'customer_id', customer, 'company_id', company)));
        else
            perform billing.assign_customer(customer, company, new.user_id);
        end if;
    end loop;
    return null;
end
$$;

-- Returns true if one of these customers has a subscription that has not ended. A paused one counts, because it can continue.
create or replace function billing.has_open_subscription(customers uuid[]) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from billing.subscriptions s where s.customer_id = any (customers) and s.status <> 'ended');

create or replace function billing.customers_of(company uuid, person uuid) returns uuid[]
    language sql stable security definer set search_path = ''
    begin atomic
        select array_agg(c.id) from billing.customers c where c.company_id = company or c.user_id = person;
    end;

create or replace trigger claim_payments after insert on auth.sessions
    for each row when (new.proven_email is not null) execute function billing.claim_payments();

-- Assigns a customer that has no owner to a company, or to a person if there is no company. The numbers of its invoices
-- then continue after those of the new owner.
create or replace function billing.assign_customer(customer uuid, company uuid, person uuid) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    last_number int;
begin
    perform billing.lock_invoice_numbers(coalesce(company, person));
    last_number := billing.last_invoice(company, person, null);
    update billing.customers c
       set company_id = company, user_id = case when company is null then person end
     where c.id = customer and c.company_id is null and c.user_id is null;
    if not found then
        return;
    end if;
    update billing.invoices i set number = coalesce(last_number, 999) + numbered.position
      from (select id, row_number() over (order by issued_at, id) as position
              from billing.invoices where customer_id = customer) numbered
     where i.id = numbered.id;
    perform billing.update_trials(company, person);
    perform jobs.raise_event('subscription.changed', jsonb_build_object('customer_id', customer, 'company_id', company));
end
$$;
grant execute on function billing.assign_customer to service_role;
