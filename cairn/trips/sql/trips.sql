-- The date of a trip in the time zone of its company. Clients read it like a column: `select=*,local_date,local_time`.
create or replace function public.local_date(trip public.trips) returns date
    language sql stable set search_path = ''
    return (trip.starts_at at time zone accounts.time_zone_of(trip.company_id))::date;
grant execute on function public.local_date to authenticated, service_role;

create or replace function public.local_time(trip public.trips) returns time
    language sql stable set search_path = ''
    return (trip.starts_at at time zone accounts.time_zone_of(trip.company_id))::time;
grant execute on function public.local_time to authenticated, service_role;

-- Returns the trips of the caller's company that start on this day in its time zone, by an index.
create or replace function public.trips_on(day date) returns setof public.trips
    language sql stable set search_path = ''
    begin atomic
        select t.* from public.trips t
         where t.company_id = (select accounts.my_company())
           and t.starts_at >= (select trips.start_of_day(accounts.my_company(), day))
           and t.starts_at < (select trips.start_of_day(accounts.my_company(), day + 1))
         order by t.starts_at, t.id;
    end;
grant execute on function public.trips_on to authenticated;

create or replace function trips.start_of_day(company uuid, day date) returns timestamptz
    language sql stable set search_path = ''
    return day::timestamp at time zone accounts.time_zone_of(company);
grant execute on function trips.start_of_day to authenticated;

-- Completes and checks a trip before it is saved. Runs with the owner's privileges, because callers have no access to schema `cairn`.
create or replace function trips.check_trip() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    activity public.activities;
begin
    if tg_op = 'INSERT' then
        new.company_id := trips.owner(new.company_id);
    end if;
    new.note := cairn.clean_text(coalesce(new.note, ''));
    if length(new.note) > 2000 then
        perform trips.refuse('trip_note_too_long');
    end if;
    if tg_op = 'INSERT' then
        select * into activity from public.activities a where a.id = new.activity_id and a.company_id = new.company_id;
        if activity.id is null then
            perform trips.refuse('activity_not_found');
        end if;
        if activity.status = 'archived' then
            perform trips.refuse('activity_archived');
        end if;
        new.ends_at := coalesce(new.ends_at, new.starts_at + make_interval(mins => activity.duration_minutes));
        new.capacity := coalesce(new.capacity, activity.capacity);
    elsif new.ends_at = old.ends_at then
        -- A trip that starts later also ends later.
        new.ends_at := new.starts_at + (old.ends_at - old.starts_at);
    end if;
    if tg_op = 'INSERT' or (new.starts_at, new.ends_at) <> (old.starts_at, old.ends_at) then
        perform trips.check_times(new);
    end if;
    return new;
end
$$;

create or replace trigger check_trip before insert or update on public.trips
    for each row execute function trips.check_trip();

create or replace function trips.check_times(trip public.trips) returns void
    language plpgsql stable set search_path = '' as $$
declare
    max_trips constant int := 200;
    day       date := public.local_date(trip);
begin
    if trip.starts_at not between now() - interval '5 years' and now() + interval '3 years' then
        perform trips.refuse('trip_date_out_of_range');
    end if;
    if trip.ends_at <= trip.starts_at or trip.ends_at > trip.starts_at + interval '60 days' then
        perform trips.refuse('trip_times_invalid');
    end if;
    if (select count(*) from public.trips t
         where t.company_id = trip.company_id and t.id <> trip.id
           and t.starts_at >= trips.start_of_day(trip.company_id, day)
           and t.starts_at < trips.start_of_day(trip.company_id, day + 1)) >= max_trips then
        perform trips.refuse('too_many_trips_a_day', jsonb_build_object('most', max_trips));
    end if;
end
$$;

-- The people of a suspended company cannot change its trips.
create or replace trigger refuse_suspended before insert or update on public.trips
    for each statement execute function accounts.refuse_suspended_statement();
