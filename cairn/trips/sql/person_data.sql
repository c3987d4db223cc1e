-- Returns what trips store about a person, for their own export: the bookings with their address as the contact, and when they, or the
-- minors for whom they have signed, were checked in. `waivers` are the ids of the waivers that they have signed. Who has checked them
-- in is left out, because that is about someone else.
create or replace function trips.person_data(address text, waivers uuid[], page int) returns table (list text, entry jsonb)
    language sql stable security definer set search_path = ''
    begin atomic
        (select 'bookings', to_jsonb(b) - array['company_id', 'trip_id', 'link'] || jsonb_build_object(
                                'company_name', accounts.company_name(b.company_id), 'activity', a.name, 'starts_at', t.starts_at)
           from public.bookings b
           join public.trips t on t.id = b.trip_id
           join public.activities a on a.id = t.activity_id
          where b.contact_email = lower(address)
          order by b.created_at desc, b.id limit 1000 offset 1000 * page)
        union all
        (select 'checkins', jsonb_build_object('company_name', accounts.company_name(c.company_id), 'activity', a.name,
                                               'starts_at', t.starts_at, 'checked_in_at', c.checked_in_at)
           from public.checkins c
           join public.trips t on t.id = c.trip_id
           join public.activities a on a.id = t.activity_id
          where c.participant_id = any (waivers.participant_ids(waivers))
          order by c.checked_in_at desc, c.id limit 1000 offset 1000 * page);
    end;
grant execute on function trips.person_data to service_role;
