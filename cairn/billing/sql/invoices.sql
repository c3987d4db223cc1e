create or replace view public.invoices with (security_invoker = true) as
    select id, number, description, amount_cents, status, issued_at, url,
           (select c.company_id from billing.customers c where c.id = customer_id) as company_id
      from billing.invoices;
grant select on public.invoices to authenticated, service_role;

-- Numbers the invoices of each company or user consecutively, starting with 1000.
create or replace function billing.number_invoice() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    customer billing.customers := (select c from billing.customers c where c.id = new.customer_id);
begin
    perform billing.lock_invoice_numbers(coalesce(customer.company_id, customer.user_id, customer.id));
    new.number := coalesce(
        billing.last_invoice(customer.company_id, customer.user_id, customer.id) + 1, 1000);
    return new;
end
$$;

create or replace trigger number_invoice before insert on billing.invoices
    for each row execute function billing.number_invoice();

-- Until the transaction ends, no other transaction can number invoices of the same owner.
create or replace function billing.lock_invoice_numbers(owner uuid) returns void
    language sql
    return pg_advisory_xact_lock(hashtextextended('invoices of ' || owner, 0));

-- Returns the highest invoice number of the owner, or null if there is no invoice.
create or replace function billing.last_invoice(company uuid, person uuid, customer uuid) returns int
    language sql stable security definer set search_path = ''
    begin atomic
        select max(i.number)
          from billing.invoices i
          join billing.customers c on c.id = i.customer_id
         where c.company_id = company or c.user_id = person or c.id = customer;
    end;
