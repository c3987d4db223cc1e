-- An adult whom a guest of a booking invites belongs to the same booking.
create or replace function trips.add_invited_session() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into trips.booking_sessions (session_id, booking_id, company_id)
    select new.id, s.booking_id, s.company_id from trips.booking_sessions s where s.session_id = new.invited_by
    -- A session that replaces the one of an invited adult was added by the trigger below.
    on conflict do nothing;
    return null;
end
$$;

create or replace trigger add_invited_session after insert on waivers.sessions
    for each row when (new.invited_by is not null) execute function trips.add_invited_session();

-- A session that replaces one of a booking, because its recipient was corrected, belongs to the same booking.
create or replace function trips.add_replacing_session() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into trips.booking_sessions (session_id, booking_id, company_id)
    select new.replaced_by, s.booking_id, s.company_id from trips.booking_sessions s where s.session_id = new.id
    on conflict do nothing;
    return null;
end
$$;

create or replace trigger add_replacing_session after update of replaced_by on waivers.sessions
    for each row when (new.replaced_by is not null) execute function trips.add_replacing_session();
