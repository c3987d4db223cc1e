"""The table of trips that every measured server has."""

TABLE = "bench_trips"
ROWS = 10_000
NEWEST = f"{TABLE}?select=id,guest,created&order=created.desc&limit=10"
TRIP = {"guest": "Gil Okafor"}
RETURNING = {"Prefer": "return=representation"}
SCHEMA = f"""
create table public.{TABLE} (
    id uuid primary key default gen_random_uuid(), guest text not null, created timestamptz not null default now());
create index on public.{TABLE} (created desc);
alter table public.{TABLE} enable row level security;
create policy "everyone sees every trip" on public.{TABLE} for select using (true);
create policy "everyone adds a trip" on public.{TABLE} for insert with check (true);
grant select, insert on public.{TABLE} to anon;
insert into public.{TABLE} (guest, created)
select 'Guest ' || n, timestamptz '2026-01-01' - n * interval '1 second' from generate_series(1, {ROWS}) as n;
analyze public.{TABLE};
"""
