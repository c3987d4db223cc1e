-- Which secrets this database is used with, see cairn/db/fingerprints.py.
create table cairn.secret_fingerprints (
    name        text primary key,
    fingerprint text not null,
    recorded_at timestamptz not null default now()
);
alter table cairn.secret_fingerprints enable row level security;
grant select on cairn.secret_fingerprints to service_role;
