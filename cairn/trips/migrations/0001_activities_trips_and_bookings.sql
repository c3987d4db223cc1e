-- Data folders of 0.1 are adopted with the baselines of the other packages and have none of these tables, so this file is no baseline.
--
-- What a company offers (activities), when (trips), for whom (bookings), and who is there (check-ins).
--
-- A company writes these tables through the REST service, and so does a booking system with any Supabase client. Trips and
-- bookings are cancelled and never deleted.

create schema trips;
grant usage on schema trips to anon, authenticated, service_role;

create table public.activities (
    id               uuid primary key default gen_random_uuid(),
    company_id       uuid not null default accounts.my_company() references public.companies,
    name             text not null,
    -- The waivers that each participant needs. The trigger `check_activity` checks that they exist.
    template_ids     text[] not null default '{}',
    minimum_age      int check (minimum_age between 0 and 120),
    capacity         int check (capacity between 1 and 10000),
    duration_minutes int not null default 60 check (duration_minutes between 1 and 43200),
    -- An archived activity takes no new trips.
    status           text not null default 'active' check (status in ('active', 'archived')),
    created_at       timestamptz not null default now()
);
create index activities_company_idx on public.activities (company_id, created_at, id);

create table public.trips (
    id                 uuid primary key default gen_random_uuid(),
    company_id         uuid not null default accounts.my_company() references public.companies,
    activity_id        uuid not null references public.activities,
    -- The date and the local time follow from the time zone of the company, see `local_date` and `local_time`.
    starts_at          timestamptz not null,
    -- If it is not given, the duration of the activity decides.
    ends_at            timestamptz not null,
    capacity           int check (capacity between 1 and 10000),
    status             text not null default 'planned' check (status in ('planned', 'cancelled')),
    note               text not null default '',
    created_at         timestamptz not null default now(),
    -- Since when the contacts of its bookings are erased, because the trip is long over.
    contacts_erased_at timestamptz
);
create index trips_company_idx on public.trips (company_id, starts_at, id);
create index trips_activity_idx on public.trips (activity_id);
create index trips_with_contacts_idx on public.trips (ends_at) where contacts_erased_at is null;

create table public.bookings (
    id            uuid primary key default gen_random_uuid(),
    company_id    uuid not null default accounts.my_company() references public.companies,
    trip_id       uuid not null references public.trips,
    contact_name  text,
    contact_email text,
    contact_phone text,
    party_size    int not null check (party_size between 1 and 500),
    -- How the booking system calls it. Sending the same booking again updates it.
    reference     text,
    status        text not null default 'booked' check (status in ('booked', 'cancelled')),
    -- The secret part of the group link, with 122 random bits.
    link          text not null unique default replace(gen_random_uuid()::text, '-', ''),
    created_at    timestamptz not null default now(),
    unique (company_id, reference)
);
create index bookings_trip_idx on public.bookings (trip_id, created_at, id);
create index bookings_new_idx on public.bookings (company_id, created_at);
create index bookings_contact_idx on public.bookings (contact_email, company_id) where contact_email is not null;

-- The sessions that were opened for a booking. A booking that moves to another trip takes them along.
create table trips.booking_sessions (
    -- Deferred, because a session that replaces another one is named in that one before it is inserted.
    session_id uuid primary key references waivers.sessions deferrable initially deferred,
    booking_id uuid not null references public.bookings,
    company_id uuid not null references public.companies
);
create index booking_sessions_booking_idx on trips.booking_sessions (booking_id);
create index booking_sessions_company_idx on trips.booking_sessions (company_id);

create table public.checkins (
    id                 uuid primary key default gen_random_uuid(),
    company_id         uuid not null default accounts.my_company() references public.companies,
    trip_id            uuid not null references public.trips,
    -- A row of the view `participants`. The row keeps its id when the waiver is erased.
    participant_id     uuid not null,
    checked_in_at      timestamptz not null default now(),
    checked_in_by      uuid,
    -- The name is copied, so that the list stays readable after the person has left.
    checked_in_by_name text,
    unique (trip_id, participant_id)
);
create index checkins_company_idx on public.checkins (company_id);
create index checkins_participant_idx on public.checkins (participant_id);

-- Each check-in and each undo, with the person who did it. Append-only.
create table public.checkin_log (
    id             uuid primary key default gen_random_uuid(),
    company_id     uuid not null references public.companies,
    trip_id        uuid not null references public.trips,
    participant_id uuid not null,
    act            text not null check (act in ('checked_in', 'undone')),
    at             timestamptz not null default clock_timestamp(),
    by             uuid,
    by_name        text
);
create index checkin_log_trip_idx on public.checkin_log (trip_id, at);
create index checkin_log_company_idx on public.checkin_log (company_id);

alter table public.activities      enable row level security;
alter table public.trips           enable row level security;
alter table public.bookings        enable row level security;
alter table trips.booking_sessions enable row level security;
alter table public.checkins        enable row level security;
alter table public.checkin_log     enable row level security;

grant select, insert (company_id, name, template_ids, minimum_age, capacity, duration_minutes, status),
      update (name, template_ids, minimum_age, capacity, duration_minutes, status)
    on public.activities to authenticated;
grant select, insert (company_id, activity_id, starts_at, ends_at, capacity, status, note),
      update (starts_at, ends_at, capacity, status, note)
    on public.trips to authenticated;
grant select, insert (company_id, trip_id, contact_name, contact_email, contact_phone, party_size, reference, status),
      update (trip_id, contact_name, contact_email, contact_phone, party_size, reference, status)
    on public.bookings to authenticated;
grant select on trips.booking_sessions to authenticated;
grant select, insert (company_id, trip_id, participant_id), delete on public.checkins to authenticated;
grant select on public.checkin_log to authenticated;
grant select, insert, update, delete
    on public.activities, public.trips, public.bookings, trips.booking_sessions, public.checkins to service_role;
grant select on public.checkin_log to service_role;
