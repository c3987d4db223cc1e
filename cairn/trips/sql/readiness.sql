-- Who of a booking has signed what the trip needs. Everything here reads the rows of one booking or one trip by an index, so it
-- takes no longer when the company has more trips.

-- Returns one row for each person of a booking who has signed at least one waiver, or for whom one was signed. A person who has
-- signed twice, or several templates, is one row. Its id is that of their first waiver that counts. A revoked or erased waiver
-- does not count. The age is that on the day of the trip.
create or replace function trips.people_of(booking uuid)
    returns table (participant_id uuid, participant_ids uuid[], waiver_ids uuid[], signed_at timestamptz, name text, birth_date date,
                   kind text, age int, flags jsonb, missing_template_ids text[], ready boolean)
    language sql stable set search_path = ''
    begin atomic
        with booked as (
            select a.template_ids, a.minimum_age, public.local_date(t) as day,
                   array(select s.session_id from trips.booking_sessions s where s.booking_id = b.id) as sessions
              from public.bookings b
              join public.trips t on t.id = b.trip_id
              join public.activities a on a.id = t.activity_id
             where b.id = booking
        ), people as (
            select (array_agg(p.participant_id order by p.signed_at, p.participant_id))[1] as participant_id,
                   array_agg(p.participant_id) as participant_ids, array_agg(distinct p.waiver_id) as waiver_ids,
                   min(p.signed_at) as signed_at, min(p.name) as name, max(p.birth_date) as birth_date, p.kind,
                   coalesce(jsonb_path_query_array(jsonb_agg(p.flags), '$[*][*]'), '[]') as flags,
                   array_agg(distinct p.template_id) as signed_template_ids
              from booked cross join lateral waivers.people_of_sessions(booked.sessions) p
             group by p.person, p.kind
        )
        select p.participant_id, p.participant_ids, p.waiver_ids, p.signed_at, p.name, p.birth_date, p.kind,
               waivers.age_on(booked.day, p.birth_date), p.flags,
               array(select unnest(booked.template_ids) except select unnest(p.signed_template_ids)),
               booked.template_ids <@ p.signed_template_ids
                   and coalesce(waivers.age_on(booked.day, p.birth_date) >= booked.minimum_age, true)
          from people p cross join booked;
    end;
grant execute on function trips.people_of to authenticated, service_role;

-- Returns everyone who has signed for a trip, with what is missing and who has checked them in.
create or replace function public.trip_participants(trip_id uuid)
    returns table (booking_id uuid, participant_id uuid, waiver_ids uuid[], name text, birth_date date, kind text, age int,
                   flags jsonb, missing_template_ids text[], ready boolean, checkin_id uuid, checked_in_at timestamptz,
                   checked_in_by_name text)
    language sql stable set search_path = ''
    begin atomic
        select b.id, p.participant_id, p.waiver_ids, p.name, p.birth_date, p.kind, p.age, p.flags, p.missing_template_ids, p.ready,
               c.id, c.checked_in_at, c.checked_in_by_name
          from public.bookings b
         cross join lateral trips.people_of(b.id) p
          left join public.checkins c on c.trip_id = b.trip_id and c.participant_id = any (p.participant_ids)
         where b.trip_id = trip_participants.trip_id and b.status = 'booked'
         order by b.created_at, b.id, p.signed_at, p.participant_id;
    end;
grant execute on function public.trip_participants to authenticated, service_role;

create or replace function trips.count_people(booking uuid) returns table (covered bigint, flagged bigint)
    language sql stable set search_path = ''
    begin atomic
        select count(*) filter (where p.ready), count(*) filter (where p.flags <> '[]') from trips.people_of(booking) p;
    end;
grant execute on function trips.count_people to authenticated, service_role;

create or replace view public.booking_readiness with (security_invoker = true) as
    select b.id as booking_id, b.company_id, b.trip_id, b.party_size, p.covered, p.covered >= b.party_size as ready
      from public.bookings b
     cross join lateral trips.count_people(b.id) p
     where b.status = 'booked';
grant select on public.booking_readiness to authenticated, service_role;

create or replace view public.trip_readiness with (security_invoker = true) as
    select t.id as trip_id, t.company_id, r.expected, r.covered,
           (select count(*) from public.checkins c where c.trip_id = t.id) as checked_in, r.flagged
      from public.trips t
     cross join lateral (select coalesce(sum(b.party_size), 0) as expected, coalesce(sum(p.covered), 0)::bigint as covered,
                                coalesce(sum(p.flagged), 0)::bigint as flagged
                           from public.bookings b cross join lateral trips.count_people(b.id) p
                          where b.trip_id = t.id and b.status = 'booked') r;
grant select on public.trip_readiness to authenticated, service_role;

-- No role may write to the two views. Without these triggers, PostgreSQL would not report the missing permission, but that the views
-- cannot be written.
create or replace function trips.refuse_readiness() returns trigger
    language plpgsql set search_path = '' as $$
begin
    perform trips.refuse('readiness_is_computed');
    return null;
end
$$;

create or replace trigger refuse_write instead of insert or update or delete on public.booking_readiness
    for each row execute function trips.refuse_readiness();

create or replace trigger refuse_write instead of insert or update or delete on public.trip_readiness
    for each row execute function trips.refuse_readiness();
