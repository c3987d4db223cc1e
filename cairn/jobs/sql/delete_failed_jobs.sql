-- Deletes up to `up_to` jobs that failed for good longer ago than `older_than`, with the library's log of them, and returns how
-- many jobs these were. The search path is `jobs`, because the trigger of the library refers to its tables without a schema.
create or replace function jobs.delete_failed_jobs(up_to int, older_than interval) returns bigint
    language sql set search_path = jobs, pg_temp as $$
    with old as (
        select j.id from jobs.procrastinate_jobs j
         where j.status = 'failed'
           and (select max(e.at) from jobs.procrastinate_events e where e.job_id = j.id) < now() - older_than
         limit up_to for update skip locked),
    deleted as (
        delete from jobs.procrastinate_jobs j using old where j.id = old.id returning 1)
    select count(*) from deleted
$$;
grant execute on function jobs.delete_failed_jobs to service_role;
