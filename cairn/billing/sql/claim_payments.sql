-- A payment made without an account is assigned when a user signs in whose proven email address was
-- given for the payment.
create or replace function billing.claim_payments() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform billing.give_customer(c.id, p.company_id, new.user_id)
       from billing.customers c
       left join accounts.people p on p.user_id = new.user_id
      where c.email = lower(new.proven_email) and c.company_id is null and c.user_id is null;
    return null;
end
$$;
revoke execute on function billing.claim_payments from public;

create or replace trigger claim_payments after insert on auth.sessions
    for each row when (new.proven_email is not null) execute function billing.claim_payments();

-- Assigns a customer to a company or user. The customer's invoices get new numbers, which continue after those of the
-- invoices that the company or user already has.
create or replace function billing.give_customer(customer uuid, company uuid, person uuid) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    last int;
begin
    perform billing.count_invoices_of(coalesce(company, person));
    last := billing.last_invoice(company, person, null);
    update billing.customers c
       set company_id = company, user_id = case when company is null then person end
     where c.id = customer and c.company_id is null and c.user_id is null;
    if not found then
        return;
    end if;
    update billing.invoices i set number = coalesce(last, 999) + later.place
      from (select id, row_number() over (order by issued_at, id) as place
              from billing.invoices where customer_id = customer) later
     where i.id = later.id;
    perform billing.follow_subscriptions(company, person);
    perform jobs.raise_event('subscription.changed', jsonb_build_object('customer_id', customer));
end
$$;
revoke execute on function billing.give_customer from public;
grant execute on function billing.give_customer to service_role;
