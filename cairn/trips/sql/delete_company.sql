-- Deletes up to `up_to` rows of each table about a company that is deleted, and returns how many these were. Rows that refer to others
-- are deleted first. A row whose references are not deleted yet stays for the next call.
create or replace function trips.delete_company_data(company uuid, up_to int) returns bigint
    language plpgsql security definer set search_path = '' as $$
declare
    deleted bigint;
    total   bigint := 0;
begin
    delete from public.checkins c where c.id in (select n.id from public.checkins n where n.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    total := total + deleted;
    delete from trips.booking_sessions s
     where s.session_id in (select n.session_id from trips.booking_sessions n where n.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    total := total + deleted;
    if total > 0 then
        return total;
    end if;
    -- Deleting a check-in adds an entry to the log, so the log is deleted after the check-ins.
    delete from public.checkin_log l where l.id in (select n.id from public.checkin_log n where n.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    total := total + deleted;
    delete from public.bookings b where b.id in (select n.id from public.bookings n where n.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    total := total + deleted;
    if total > 0 then
        return total;
    end if;
    delete from public.trips t where t.id in (select n.id from public.trips n where n.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    if deleted = 0 then
        delete from public.activities a where a.company_id = company;
        get diagnostics deleted = row_count;
    end if;
    return deleted;
end
$$;
grant execute on function trips.delete_company_data to service_role;
