-- What a company decides for itself: where its clock stands, how long its links hold, how often it asks again, and as
-- whom it writes.

alter table public.companies
    add column time_zone           text not null default 'UTC' check (length(time_zone) <= 64),
    add column link_days           int not null default 30 check (link_days between 1 and 365),
    add column reminders           boolean not null default true,
    add column reminder_first_days int not null default 3 check (reminder_first_days between 1 and 60),
    add column reminder_every_days int not null default 3 check (reminder_every_days between 1 and 60),
    add column reminder_limit      int not null default 3 check (reminder_limit between 1 and 10),
    -- Empty: the company's name, and the address of whoever pressed Send.
    add column sender_name         text check (length(sender_name) <= 200 and sender_name !~ '[\r\n]'),
    add column reply_to            text check (length(reply_to) <= 320 and reply_to ~ '^[^@\s<>",;]+@[^@\s<>",;]+$');

create policy "people decide for their own company" on public.companies
    for update to authenticated using (id = (select accounts.my_company()));
drop policy "people name their own company" on public.companies;
grant update (time_zone, link_days, reminders, reminder_first_days, reminder_every_days, reminder_limit, sender_name, reply_to)
    on public.companies to authenticated;

create function accounts.check_settings() returns trigger
    language plpgsql as $$
begin
    new.sender_name := nullif(trim(new.sender_name), '');
    new.reply_to := nullif(lower(trim(new.reply_to)), '');
    -- By its name: PostgreSQL would also take a rule such as 'ABC-5', which nobody else can read.
    if new.time_zone is distinct from old.time_zone
       and not exists (select from pg_timezone_names where name = new.time_zone) then
        raise exception 'There is no time zone called %.', new.time_zone using errcode = 'PT400';
    end if;
    return new;
end
$$;
create trigger check_settings before update on public.companies
    for each row execute function accounts.check_settings();

-- A session is opened with the house's own thirty days; a company that decided otherwise gets what it decided.
create function waivers.apply_link_days() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    new.expires_at := now() + make_interval(days => coalesce(
        (select c.link_days from public.companies c where c.id = new.company_id), 30));
    return new;
end
$$;
revoke execute on function waivers.apply_link_days() from public;
create trigger apply_link_days before insert on waivers.sessions
    for each row when (new.status = 'pending' and new.expires_at = now() + interval '30 days')
    execute function waivers.apply_link_days();
