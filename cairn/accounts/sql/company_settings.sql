-- Normalizes and checks the settings of a company before they are saved. It is `security definer`, because guests
-- and companies have no access to schema `cairn`.
create or replace function accounts.check_settings() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    new.name := cairn.clean_line(new.name);
    new.sender_name := nullif(cairn.clean_line(new.sender_name), '');
    new.reply_to := nullif(cairn.clean_address(new.reply_to), '');
    -- Only named zones are accepted. PostgreSQL also knows POSIX rules such as 'ABC-5', which other software cannot read.
    if (tg_op = 'INSERT' or new.time_zone <> old.time_zone)
       and not exists (select from pg_timezone_names where name = new.time_zone) then
        perform accounts.refuse('time_zone_unknown', jsonb_build_object('time_zone', new.time_zone));
    end if;
    if (tg_op = 'INSERT' or new.reply_to is distinct from old.reply_to) and not cairn.is_one_address(new.reply_to) then
        perform accounts.refuse('reply_to_not_single');
    end if;
    if tg_op = 'INSERT' or new.name <> old.name then
        perform accounts.check_sender_name(new.name);
    end if;
    if tg_op = 'INSERT' or new.sender_name is distinct from old.sender_name then
        perform accounts.check_sender_name(new.sender_name);
    end if;
    return new;
end
$$;

-- Records that the company has set its time zone. Runs whenever a time zone is saved, even the same one as before.
create or replace function accounts.mark_time_zone_as_set() returns trigger
    language plpgsql set search_path = '' as $$
begin
    new.time_zone_is_set := true;
    return new;
end
$$;

create or replace trigger check_settings before insert or update on public.companies
    for each row execute function accounts.check_settings();

create or replace trigger mark_time_zone_as_set before update of time_zone on public.companies
    for each row execute function accounts.mark_time_zone_as_set();

create or replace trigger companies_touch before update on public.companies
    for each row execute function cairn.touch_updated_at();
