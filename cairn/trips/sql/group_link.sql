-- Each booking has a group link, which its contact sends on to the party. Anyone who has the link can open sessions for the booking
-- and read the first names of those who have signed, and nothing else.

-- Opens a session with one of the waivers that the trip needs, and returns it. If the trip needs only one, the template may be left out.
create or replace function public.open_group_session(link text, template_id text default null) returns public.waiver_sessions
    language plpgsql security definer set search_path = '' as $$
declare
    booking  public.bookings := trips.booking_of_link(link);
    needed   text[] := trips.templates_of(booking.trip_id);
    template text := case when template_id is null and array_length(needed, 1) = 1 then needed[1] else template_id end;
    session  public.waiver_sessions;
begin
    if template is null or template <> all (needed) then
        perform trips.refuse('template_not_needed');
    end if;
    -- A guest may open several sessions before they sign, for example after they have lost the page.
    if (select count(*) from trips.booking_sessions s where s.booking_id = booking.id)
       >= 20 + 5 * booking.party_size * array_length(needed, 1) then
        perform trips.refuse('group_link_used_too_often');
    end if;
    session.id := waivers.open_guest_session(booking.company_id, template);
    insert into trips.booking_sessions (session_id, booking_id, company_id) values (session.id, booking.id, booking.company_id);
    select * into session from public.waiver_sessions s where s.id = session.id;
    return session;
end
$$;
grant execute on function public.open_group_session to anon, authenticated, service_role;

-- Returns the first name of everyone who has signed for the booking, and whether they have signed all that the trip needs.
create or replace function public.group_status(link text) returns table (first_name text, ready boolean)
    language plpgsql stable security definer set search_path = '' as $$
declare
    booking public.bookings := trips.booking_of_link(link);
begin
    return query
    select split_part(p.name, ' ', 1), p.ready from trips.people_of(booking.id) p order by p.signed_at, p.participant_id;
end
$$;
grant execute on function public.group_status to anon, authenticated, service_role;

-- Returns the booking of a link. Refuses a link that is unknown, of a cancelled booking or trip, or of a trip that ended more than a
-- day ago.
create or replace function trips.booking_of_link(link text) returns public.bookings
    language plpgsql stable set search_path = '' as $$
declare
    booking public.bookings;
begin
    select * into booking from public.bookings b where b.link = booking_of_link.link;
    if booking.id is null then
        perform trips.refuse('group_link_not_found');
    end if;
    if booking.status = 'cancelled'
       or not exists (select from public.trips t
                       where t.id = booking.trip_id and t.status = 'planned' and t.ends_at > now() - interval '1 day') then
        perform trips.refuse('group_link_closed');
    end if;
    return booking;
end
$$;

create or replace function trips.templates_of(trip uuid) returns text[]
    language sql stable set search_path = ''
    begin atomic
        select a.template_ids from public.trips t join public.activities a on a.id = t.activity_id where t.id = trip;
    end;
