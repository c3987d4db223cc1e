-- The outbox: facts that happened, written in the transaction that made them true, read by whoever acts on them.
-- Readers go by (xid, id) and stop below the oldest transaction still running: ids alone would skip the row of a
-- transaction that took its id early and committed late.

create schema jobs;
grant usage on schema jobs to service_role;

create table jobs.events (
    id      bigint generated always as identity primary key,
    xid     xid8 not null default pg_current_xact_id(),
    name    text not null,
    facts   jsonb not null default '{}',
    at      timestamptz not null default clock_timestamp()
);
create index events_order_idx on jobs.events (xid, id);
alter table jobs.events enable row level security;
grant select, insert, delete on jobs.events to service_role;

create table jobs.readers (
    name text primary key,
    xid  xid8 not null default '0',
    id   bigint not null default 0
);
alter table jobs.readers enable row level security;
grant select, insert, update on jobs.readers to service_role;
insert into jobs.readers (name) values ('worker');

-- Raised by triggers on behalf of people who may not touch the outbox themselves.
create function jobs.raise_event(name text, facts jsonb) returns void
    language sql security definer set search_path = ''
    begin atomic
        insert into jobs.events (name, facts) values ($1, $2);
    end;
revoke execute on function jobs.raise_event from public;
grant execute on function jobs.raise_event to service_role;
