-- Messages that are sent from SQL to the channels of open browsers. Changes of rows use the outbox of `jobs` instead.

create schema realtime;
grant usage on schema realtime to anon, authenticated, service_role;

create table realtime.messages (
    id             uuid primary key default gen_random_uuid(),
    topic          text not null,
    extension      text not null check (extension in ('broadcast', 'presence')),
    event          text,
    payload        jsonb,
    binary_payload bytea,
    private        boolean not null default false,
    inserted_at    timestamptz not null default clock_timestamp(),
    -- Decides whether a subscriber gets the message by replay or live; comparing clocks would be ambiguous.
    xid            xid8 not null default pg_current_xact_id()
);
comment on table realtime.messages is
    'Messages sent from SQL, kept three days for replay. Its policies decide who may use which private channel.';
create index messages_newest_idx on realtime.messages (topic, inserted_at desc) where private;
create index messages_age_idx on realtime.messages (inserted_at);
alter table realtime.messages enable row level security;
grant select, insert on realtime.messages to anon, authenticated;
grant select, insert, delete on realtime.messages to service_role;
