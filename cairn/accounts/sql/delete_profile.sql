-- When a user is anonymized, the row in auth.users stays without personal data, and the profile is deleted.
create or replace function accounts.delete_profile() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    delete from public.profiles where id = new.id;
    return null;
end
$$;

create or replace trigger delete_profile after update of deleted_at on auth.users
    for each row when (new.deleted_at is not null and old.deleted_at is null) execute function accounts.delete_profile();
