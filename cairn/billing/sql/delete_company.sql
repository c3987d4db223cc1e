-- Deletes up to `up_to` counted sendings of a company that is deleted, and returns how many these were. Its monthly
-- counts, unpaid checkouts and sandbox cards are deleted at once, and the email address is removed. Its subscriptions, paid checkouts
-- and invoices stay, because the operator must keep its books.
create or replace function billing.delete_company_data(company uuid, up_to int) returns bigint
    language plpgsql security definer set search_path = '' as $$
declare
    deleted bigint;
begin
    delete from billing.counted_sendings c
     where (c.session_id, c.recipient) in (select s.session_id, s.recipient from billing.counted_sendings s
                                            where s.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    delete from billing.sendings_by_month m where m.company_id = company;
    delete from billing.checkouts c where c.company_id = company and c.paid_at is null;
    delete from billing.sandbox_cards s
     where s.customer in (select c.reference from billing.customers c where c.company_id = company);
    update billing.customers c set email = null where c.company_id = company and c.email is not null;
    return deleted;
end
$$;
grant execute on function billing.delete_company_data to service_role;
