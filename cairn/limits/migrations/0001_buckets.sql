create schema limits;
grant usage on schema limits to service_role;

-- A bucket is one time: when it will be full again. Unlogged, because the limits may start afresh after a crash.
create unlogged table limits.buckets (
    bucket  text primary key,
    full_at timestamptz not null
) with (fillfactor = 50);

alter table limits.buckets enable row level security;
grant select, insert, update, delete on limits.buckets to service_role;
