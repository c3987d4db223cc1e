-- Pauses the endpoints of a company that is deleted, so that nothing is sent or added any more, and deletes up to `up_to` of its
-- deliveries. Returns how many these were. If none is left, deletes the endpoints with their secrets.
create or replace function integrations.delete_company_data(company uuid, up_to int) returns bigint
    language plpgsql security definer set search_path = '' as $$
declare
    deleted bigint;
begin
    update integrations.endpoints e set paused = true where e.company_id = company and not e.paused;
    delete from integrations.deliveries d
     where d.id in (select n.id from integrations.deliveries n where n.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    if deleted = 0 then
        delete from integrations.endpoints e where e.company_id = company;
    end if;
    return deleted;
end
$$;
grant execute on function integrations.delete_company_data to service_role;
