-- Cleans and checks a booking before it is saved. Runs with the owner's privileges, because callers have no access to schema `cairn`.
create or replace function trips.check_booking() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if tg_op = 'INSERT' then
        new.company_id := trips.owner(new.company_id);
    end if;
    new.contact_name := nullif(cairn.clean_line(new.contact_name), '');
    new.contact_email := nullif(cairn.clean_address(new.contact_email), '');
    new.contact_phone := nullif(cairn.clean_line(new.contact_phone), '');
    new.reference := nullif(cairn.clean_line(new.reference), '');
    if length(new.contact_name) > 400 or length(new.contact_email) > 320 or length(new.contact_phone) > 40
       or length(new.reference) > 200 then
        perform trips.refuse('booking_text_too_long');
    end if;
    if (tg_op = 'INSERT' or new.contact_email is distinct from old.contact_email)
       and not cairn.is_one_address(new.contact_email) then
        perform trips.refuse('contact_email_not_single');
    end if;
    -- A new contact needs the check too, because a trip that is long over takes none.
    if tg_op = 'INSERT' or (new.trip_id, new.status) <> (old.trip_id, old.status) or new.party_size > old.party_size
       or trips.has_contact(new) and not trips.has_contact(old) then
        perform trips.check_place(new, case when tg_op = 'UPDATE' then old.trip_id end);
    end if;
    return new;
end
$$;

create or replace function trips.has_contact(booking public.bookings) returns boolean
    language sql immutable
    return coalesce((booking).contact_name, (booking).contact_email, (booking).contact_phone) is not null;

create or replace trigger check_booking before insert or update on public.bookings
    for each row execute function trips.check_booking();

-- Checks that the trip takes the booking. A cancelled booking needs no place. `old_trip` is the trip from which the booking may move.
create or replace function trips.check_place(booking public.bookings, old_trip uuid) returns void
    language plpgsql set search_path = '' as $$
declare
    max_bookings constant int := 500;
    trip         public.trips;
    other_count  int;
    taken        int;
begin
    -- The lock makes simultaneous bookings of a trip wait for each other, so that they do not exceed its capacity.
    select * into trip from public.trips t
     where t.id = booking.trip_id and t.company_id = booking.company_id for no key update;
    if trip.id is null then
        perform trips.refuse('trip_not_found');
    end if;
    if trip.contacts_erased_at is not null then
        perform trips.refuse('trip_is_over');
    end if;
    if booking.trip_id <> old_trip and trips.is_checked_in(booking.id, old_trip) then
        perform trips.refuse('booking_is_checked_in');
    end if;
    if booking.status = 'cancelled' then
        return;
    end if;
    if trip.status = 'cancelled' then
        perform trips.refuse('trip_cancelled');
    end if;
    select count(*), coalesce(sum(b.party_size) filter (where b.status = 'booked'), 0) into other_count, taken
      from public.bookings b where b.trip_id = trip.id and b.id <> booking.id;
    if other_count >= max_bookings then
        perform trips.refuse('too_many_bookings', jsonb_build_object('most', max_bookings));
    end if;
    if taken + booking.party_size > trip.capacity then
        perform trips.refuse('trip_is_full', jsonb_build_object('places', greatest(trip.capacity - taken, 0)));
    end if;
end
$$;

-- Limits how fast a company fills the database. The service role has no company and no limit.
create or replace function trips.check_new_bookings() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    max_bookings_a_day constant int := 20000;
begin
    if (select count(*) from public.bookings b
         where b.company_id = (select accounts.my_company()) and b.created_at > now() - interval '1 day') > max_bookings_a_day then
        perform trips.refuse('booking_quota_reached');
    end if;
    return null;
end
$$;

create or replace trigger check_new_bookings after insert on public.bookings
    for each statement execute function trips.check_new_bookings();

-- The people of a suspended company cannot change its bookings.
create or replace trigger refuse_suspended before insert or update on public.bookings
    for each statement execute function accounts.refuse_suspended_statement();
