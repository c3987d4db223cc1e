-- Signing up is one insert into auth.users; the profile and the company are created in the same transaction. The
-- company id is written back to app_metadata, next to the role, so that access tokens contain both.
create or replace function accounts.create_profile() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    user_role text := coalesce(new.app_metadata ->> 'role', 'company');
    company   uuid;
    zone      text;
begin
    if user_role = 'company' then
        company := nullif(new.app_metadata ->> 'company_id', '')::uuid;
        if company is null then
            -- The browser sends its time zone. A name that PostgreSQL does not know is ignored.
            select name into zone from pg_catalog.pg_timezone_names where name = new.user_metadata ->> 'time_zone';
            insert into public.companies (time_zone, time_zone_is_set)
            values (coalesce(zone, 'UTC'), zone is not null)
            returning id into company;
        end if;
    end if;
    insert into public.profiles (id, role, name, email, company_id)
    values (
        new.id,
        user_role,
        left(coalesce(nullif(cairn.clean_line(new.user_metadata ->> 'name'), ''), nullif(split_part(new.email, '@', 1), ''), 'Someone'),
             200),
        coalesce(new.email, ''),
        company
    );
    perform auth.add_app_metadata(
        new.id, jsonb_strip_nulls(jsonb_build_object('role', user_role, 'company_id', company)));
    return new;
end
$$;

create or replace trigger create_profile after insert on auth.users
    for each row execute function accounts.create_profile();

-- A person's name appears in emails and in the versions of templates, so it must not contain line breaks or invisible characters.
-- The first argument of `clean_columns` says how to clean the columns after it.

create or replace trigger clean_lines before insert or update on public.profiles
    for each row execute function cairn.clean_columns('line', 'name');

create or replace trigger clean_texts before insert or update on public.profiles
    for each row execute function cairn.clean_columns('text', 'bio');

create or replace trigger profiles_touch before update on public.profiles
    for each row execute function cairn.touch_updated_at();
