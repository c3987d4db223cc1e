-- When each scheduled task is due again. All workers share it. See jobs/schedule.py.
create table jobs.schedule (
    name   text primary key,
    due_at timestamptz not null
);
alter table jobs.schedule enable row level security;
grant select, insert, update, delete on jobs.schedule to service_role;
