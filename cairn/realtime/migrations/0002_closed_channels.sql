-- The channels that a server closed because it stopped, and up to where it had delivered to them. A client that joins
-- again receives what was committed since then. See realtime/resume.py.
create table realtime.closed_channels (
    id        bigint generated always as identity primary key,
    -- A hash of the topic, the account and the subscriptions.
    key       text not null,
    -- The reference of the join. When the same client joins again, it uses a higher one.
    join_ref  bigint not null,
    delivered pg_snapshot not null,
    closed_at timestamptz not null default now()
);
create index closed_channels_key_idx on realtime.closed_channels (key);
alter table realtime.closed_channels enable row level security;
grant select, insert, update, delete on realtime.closed_channels to service_role;
