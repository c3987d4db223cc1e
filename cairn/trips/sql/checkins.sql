-- A check-in is one insert into public.checkins, and its delete is the undo. Both are logged.

-- Checks a check-in, and records who did it. Every participant row of a person leads to the same check-in, so that two devices
-- cannot check in the same person twice. Runs with the owner's privileges, because callers cannot read the names of all colleagues.
create or replace function trips.check_in() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    trip     public.trips;
    is_ready boolean;
begin
    new.company_id := trips.owner(new.company_id);
    select * into trip from public.trips t where t.id = new.trip_id and t.company_id = new.company_id;
    if trip.id is null then
        perform trips.refuse('trip_not_found');
    end if;
    if trip.status = 'cancelled' then
        perform trips.refuse('trip_cancelled');
    end if;
    select p.participant_id, p.ready into new.participant_id, is_ready
      from public.bookings b cross join lateral trips.people_of(b.id) p
     where b.trip_id = trip.id and b.status = 'booked' and new.participant_id = any (p.participant_ids);
    if new.participant_id is null then
        perform trips.refuse('participant_not_on_trip');
    end if;
    if not is_ready then
        perform trips.refuse('participant_not_ready');
    end if;
    new.checked_in_at := now();
    new.checked_in_by := auth.uid();
    new.checked_in_by_name := (select p.name from accounts.people p where p.user_id = auth.uid());
    return new;
end
$$;

create or replace trigger check_in before insert on public.checkins
    for each row execute function trips.check_in();

create or replace function trips.log_check_in() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    checkin public.checkins := coalesce(new, old);
begin
    insert into public.checkin_log (company_id, trip_id, participant_id, act, by, by_name)
    values (checkin.company_id, checkin.trip_id, checkin.participant_id,
            case tg_op when 'INSERT' then 'checked_in' else 'undone' end, auth.uid(),
            (select p.name from accounts.people p where p.user_id = auth.uid()));
    return null;
end
$$;

create or replace trigger log_check_in after insert or delete on public.checkins
    for each row execute function trips.log_check_in();

-- True if someone of the booking is checked in on this trip.
create or replace function trips.is_checked_in(booking uuid, trip uuid) returns boolean
    language sql stable set search_path = ''
    return exists (select from trips.people_of(booking) p
                     join public.checkins c on c.trip_id = trip and c.participant_id = any (p.participant_ids));

-- The people of a suspended company cannot check anyone in.
create or replace trigger refuse_suspended before insert or delete on public.checkins
    for each statement execute function accounts.refuse_suspended_statement();
