-- A visitor can pay without an account. When a user with the same, proven email address signs in, the payments become
-- theirs.
create or replace function billing.claim_payments() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform billing.assign_customer(c.id, p.company_id, new.user_id)
       from billing.customers c
       left join accounts.people p on p.user_id = new.user_id
      where c.email = lower(new.proven_email) and c.company_id is null and c.user_id is null;
    return null;
end
$$;
revoke execute on function billing.claim_payments from public;

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
    perform jobs.raise_event('subscription.changed', jsonb_build_object('customer_id', customer));
end
$$;
revoke execute on function billing.assign_customer from public;
grant execute on function billing.assign_customer to service_role;
