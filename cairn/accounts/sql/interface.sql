-- Other packages read companies and their people only through these functions and views, never from the tables.

create or replace function accounts.company_exists(company uuid) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from public.companies where id = company and deleted_at is null);
grant execute on function accounts.company_exists to service_role;

-- True if the company can be reached: one of its people has proven that their email address is theirs.
create or replace function accounts.has_confirmed_address(company uuid) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from public.profiles p
                    where p.company_id = company and auth.confirmed_email(p.id) is not null);
grant execute on function accounts.has_confirmed_address to service_role;

-- Returns for how many days a guest can sign with a link that the company has sent.
create or replace function accounts.link_days(company uuid) returns int
    language sql stable security definer set search_path = ''
    return (select link_days from public.companies where id = company);

-- Returns today's date in the time zone of the company.
create or replace function accounts.today(company uuid) returns date
    language sql stable security definer set search_path = ''
    return (now() at time zone coalesce((select time_zone from public.companies where id = company), 'UTC'))::date;

-- Returns the name of the company's time zone.
create or replace function accounts.time_zone_of(company uuid) returns text
    language sql stable security definer set search_path = ''
    return coalesce((select time_zone from public.companies where id = company), 'UTC');
grant execute on function accounts.time_zone_of to authenticated, service_role;

-- Only functions that run with the owner's privileges can read this view.
create or replace view accounts.people with (security_invoker = true) as
    select id as user_id, name, company_id from public.profiles;

-- Shows the caller's own user and company.
create or replace view accounts.me with (security_invoker = true) as
    select p.id as user_id, p.email, p.company_id, coalesce(c.name, '') as company_name
      from public.profiles p
      left join public.companies c on c.id = p.company_id
     where p.id = (select auth.uid());
grant select on accounts.me to authenticated;

-- Shows how a company's emails are sent and how its guests are reminded.
create or replace view accounts.mail_settings with (security_invoker = true) as
    select id as company_id, sender_name, reply_to, time_zone, reminders, reminders_by_text,
           reminder_first_days, reminder_every_days, reminder_limit
      from public.companies;
grant select on accounts.mail_settings to service_role;

-- Shows which companies keep their signed waivers only for some time. A signed-in person sees only their own company.
create or replace view accounts.retentions with (security_invoker = true) as
    select id as company_id, keep_waivers_months as months from public.companies where keep_waivers_months is not null;
grant select on accounts.retentions to authenticated, service_role;
