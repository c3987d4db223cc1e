-- Deletes the endpoints of a company that is deleted, with their secrets and deliveries.
create or replace function integrations.delete_company_data(company uuid) returns void
    language sql security definer set search_path = ''
    begin atomic
        delete from integrations.endpoints e where e.company_id = company;
    end;
grant execute on function integrations.delete_company_data to service_role;
