-- Signed heads of the histories of each company. docs/evidence-format.md describes them, and decision 0100 says why.

create table waivers.chain_heads (
    id              bigint generated always as identity primary key,
    -- Null for sessions without a company.
    company_id      uuid references public.companies,
    number          int not null check (number > 0),
    previous        bytea,
    at              timestamptz not null,
    session_count   int not null,
    waiver_count    int not null,
    event_count     bigint not null,
    entry_count     int not null,
    root            bytea not null,
    hash            bytea not null,
    signature       bytea not null,
    certificate     text not null,
    -- True if a timestamp authority was configured, so that the head gets a timestamp.
    wants_timestamp boolean not null,
    unique nulls not distinct (company_id, number)
);
-- Each sealed document names the newest head by its hash.
create index chain_heads_hash_idx on waivers.chain_heads (hash);

-- Which history a head covers, and how far. There is no foreign key to the session, because an entry proves that the session
-- existed.
create table waivers.head_entries (
    head_id     bigint not null references waivers.chain_heads,
    position    int not null,
    session_id  uuid not null,
    event_count int not null check (event_count > 0),
    last_hash   bytea not null,
    primary key (head_id, position)
);
create unique index head_entries_session_idx on waivers.head_entries (session_id, event_count);

-- The response of the timestamp authority. A head that wants a timestamp and has none is pending.
create table waivers.head_timestamps (
    head_id        bigint primary key references waivers.chain_heads,
    token          bytea not null,
    timestamped_at timestamptz not null
);
create index chain_heads_timestamp_idx on waivers.chain_heads (id) where wants_timestamp;

-- Up to which event all histories are covered. An event gets its id before its transaction commits, so the position moves to
-- `next_id` only when all transactions below `next_xid` have ended. The table has at most one row.
create table waivers.head_position (
    is_only_row boolean primary key default true check (is_only_row),
    id          bigint not null,
    next_id     bigint not null,
    next_xid    xid8 not null
);

alter table waivers.chain_heads     enable row level security;
alter table waivers.head_entries    enable row level security;
alter table waivers.head_timestamps enable row level security;
alter table waivers.head_position   enable row level security;

grant select on waivers.chain_heads, waivers.head_entries, waivers.head_timestamps to authenticated;
grant select, insert on waivers.chain_heads, waivers.head_entries, waivers.head_timestamps to service_role;
grant select, insert, update on waivers.head_position to service_role;
