-- Deletes up to `up_to` old entries of the log and returns how many these were. The log is append-only for everything else.
create or replace function auth.delete_old_log_entries(up_to int, older_than interval) returns bigint
    language sql security definer set search_path = ''
    begin atomic
        with old as (
            select l.id from auth.audit_log l where l.created_at < now() - older_than limit up_to for update skip locked),
        deleted as (
            delete from auth.audit_log l using old where l.id = old.id returning l.id)
        select count(*) from deleted;
    end;
grant execute on function auth.delete_old_log_entries to service_role;
