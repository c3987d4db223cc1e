"""Defines the table of trips that exists on every measured server."""

TABLE = "bench_trips"
ROW_COUNT = 10_000
NEWEST_TRIPS = f"{TABLE}?select=id,guest,created&order=created.desc&limit=10"
NEW_TRIP = {"guest": "Gil Okafor"}
RETURN_ROW = {"Prefer": "return=representation"}
CREATE_TRIPS = f"""
create table public.{TABLE} (
    id uuid primary key default gen_random_uuid(), guest text not null, created timestamptz not null default now());
create index on public.{TABLE} (created desc);
alter table public.{TABLE} enable row level security;
create policy "everyone sees every trip" on public.{TABLE} for select using (true);
create policy "everyone adds a trip" on public.{TABLE} for insert with check (true);
grant select, insert on public.{TABLE} to anon;
insert into public.{TABLE} (guest, created)
select 'Guest ' || n, timestamptz '2026-01-01' - n * interval '1 second' from generate_series(1, {ROW_COUNT}) as n;
analyze public.{TABLE};
"""
