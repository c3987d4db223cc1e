-- The outbox: events written in the transaction that caused them, and the queue of jobs that handle them.

create schema jobs;
grant usage on schema jobs to service_role;

-- Readers go by (xid, id) and stop below the oldest running transaction. Reading by id alone would skip the row of a
-- transaction that took its id early and committed late.
create table jobs.events (
    id      bigint generated always as identity primary key,
    xid     xid8 not null default pg_current_xact_id(),
    name    text not null,
    payload jsonb not null default '{}',
    at      timestamptz not null default clock_timestamp()
);
create index events_order_idx on jobs.events (xid, id);

create table jobs.readers (
    name text primary key,
    xid  xid8 not null default '0',
    id   bigint not null default 0
);
insert into jobs.readers (name) values ('worker');

set local search_path = jobs;
-- include procrastinate/sql/schema.sql
set local search_path = public;

alter table jobs.events                         enable row level security;
alter table jobs.readers                        enable row level security;
alter table jobs.procrastinate_workers          enable row level security;
alter table jobs.procrastinate_jobs             enable row level security;
alter table jobs.procrastinate_periodic_defers  enable row level security;
alter table jobs.procrastinate_events           enable row level security;

grant select, insert, update, delete on all tables in schema jobs to service_role;
revoke update on jobs.events from service_role;
grant usage, select on all sequences in schema jobs to service_role;
