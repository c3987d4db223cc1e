create or replace view public.invoices with (security_invoker = true) as
    select id, number, description, amount_cents, status, issued_at, url,
           (select c.company_id from billing.customers c where c.id = customer_id) as company_id
      from billing.invoices;
grant select on public.invoices to authenticated, service_role;

create or replace function billing.number_invoice() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    payer billing.customers := (select c from billing.customers c where c.id = new.customer_id);
begin
    perform billing.count_invoices_of(coalesce(payer.company_id, payer.user_id, payer.id));
    new.number := coalesce(billing.last_invoice(payer.company_id, payer.user_id, payer.id) + 1, 1000);
    return new;
end
$$;
revoke execute on function billing.number_invoice from public;

create or replace trigger number_invoice before insert on billing.invoices
    for each row execute function billing.number_invoice();

-- Takes a lock until the end of the transaction, so that no other transaction numbers invoices of the same payer.
create or replace function billing.count_invoices_of(payer uuid) returns void
    language sql
    return pg_advisory_xact_lock(hashtextextended('invoices of ' || payer, 0));
revoke execute on function billing.count_invoices_of from public;

create or replace function billing.last_invoice(company uuid, person uuid, customer uuid) returns int
    language sql stable security definer set search_path = ''
    begin atomic
        select max(i.number)
          from billing.invoices i
          join billing.customers c on c.id = i.customer_id
         where c.company_id = company or c.user_id = person or c.id = customer;
    end;
revoke execute on function billing.last_invoice from public;
