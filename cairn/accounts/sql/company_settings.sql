-- Normalizes and checks the settings of a company before they are saved.
create or replace function accounts.check_settings() returns trigger
    language plpgsql as $$
begin
    new.sender_name := nullif(trim(new.sender_name), '');
    new.reply_to := nullif(lower(trim(new.reply_to)), '');
    -- Only named zones are accepted. PostgreSQL also knows POSIX rules such as 'ABC-5', which other software cannot read.
    if new.time_zone is distinct from old.time_zone
       and not exists (select from pg_timezone_names where name = new.time_zone) then
        perform accounts.refuse('time_zone_unknown', jsonb_build_object('time_zone', new.time_zone));
    end if;
    return new;
end
$$;

create or replace trigger check_settings before update on public.companies
    for each row execute function accounts.check_settings();

create or replace trigger companies_touch before update on public.companies
    for each row execute function cairn.touch_updated_at();
