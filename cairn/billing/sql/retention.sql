-- Deletes up to `up_to` counted sendings of months that ended longer ago than `older_than`, and returns how many these were.
-- They contain addresses of guests. The counts of the months stay.
create or replace function billing.delete_old_sendings(up_to int, older_than interval) returns bigint
    language sql security definer set search_path = ''
    begin atomic
        with old as (
            select c.session_id, c.recipient from billing.counted_sendings c
             where c.month < now() - older_than - interval '1 month'
             limit up_to for update skip locked),
        deleted as (
            delete from billing.counted_sendings c using old
             where c.session_id = old.session_id and c.recipient = old.recipient
            returning c.session_id)
        select count(*) from deleted;
    end;
grant execute on function billing.delete_old_sendings to service_role;
