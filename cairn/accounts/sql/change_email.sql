-- Copies a changed sign-in address to the profile.
create or replace function accounts.copy_new_address() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update public.profiles set email = coalesce(new.email, '') where id = new.id;
    return null;
end
$$;

create or replace trigger copy_new_address after update of email on auth.users
    for each row when (old.email is distinct from new.email) execute function accounts.copy_new_address();
