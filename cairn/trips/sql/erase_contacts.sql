-- When a waiver is erased, the contact of the bookings that were made with the same address is erased too, if their trip is over.
-- A trip that still takes place keeps its contact. The booking itself, the link of its sessions and the check-ins stay: they name no
-- one.
create or replace function trips.erase_contact_of_signer() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update public.bookings b
       set contact_name = null, contact_email = null, contact_phone = null
      from public.trips t
     where b.contact_email = lower(old.signer_email) and b.company_id = old.company_id
       and t.id = b.trip_id and t.ends_at < now();
    return null;
end
$$;

create or replace trigger erase_contact_of_signer after update of erased_at on waivers.signed
    for each row when (old.erased_at is null and new.erased_at is not null) execute function trips.erase_contact_of_signer();

-- Erases the contacts and notes of up to `up_to` trips that ended longer ago than `kept_for`. Returns how many trips these were.
create or replace function trips.erase_old_contacts(up_to int, kept_for interval) returns bigint
    language sql security definer set search_path = '' as $$
    with old_trips as (
        select t.id from public.trips t
         where t.contacts_erased_at is null and t.ends_at < now() - kept_for
         order by t.ends_at limit up_to for update skip locked
    ), erased_bookings as (
        update public.bookings b set contact_name = null, contact_email = null, contact_phone = null
          from old_trips o
         where b.trip_id = o.id and (b.contact_name, b.contact_email, b.contact_phone) is distinct from (null, null, null)
    ), erased_trips as (
        update public.trips t set contacts_erased_at = now(), note = '' from old_trips o where t.id = o.id returning t.id
    )
    select count(*) from erased_trips
$$;
grant execute on function trips.erase_old_contacts to service_role;
