-- The queue of procrastinate, in the same schema as the outbox that fills it.

set local search_path = jobs;
-- include procrastinate/sql/schema.sql
set local search_path = public;

alter table jobs.procrastinate_workers enable row level security;
alter table jobs.procrastinate_jobs enable row level security;
alter table jobs.procrastinate_periodic_defers enable row level security;
alter table jobs.procrastinate_events enable row level security;
grant select, insert, update, delete on all tables in schema jobs to service_role;
revoke update on jobs.events from service_role;
grant usage, select on all sequences in schema jobs to service_role;
