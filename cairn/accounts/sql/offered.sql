-- What other packages may know about companies and their people. They never read the tables of this package.

create or replace function accounts.company_exists(company uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select exists (select from public.companies where id = company);
    end;
revoke execute on function accounts.company_exists from public;
grant execute on function accounts.company_exists to service_role;

create or replace function accounts.link_days(company uuid) returns int
    language sql stable security definer set search_path = ''
    begin atomic
        select link_days from public.companies where id = company;
    end;
revoke execute on function accounts.link_days from public;

create or replace function accounts.person_name(person uuid) returns text
    language sql stable security definer set search_path = ''
    begin atomic
        select name from public.profiles where id = person;
    end;
revoke execute on function accounts.person_name from public;

create or replace function accounts.company_of(person uuid) returns uuid
    language sql stable security definer set search_path = ''
    begin atomic
        select p.company_id from public.profiles p where p.id = person;
    end;
revoke execute on function accounts.company_of from public;

create or replace function accounts.people_of(company uuid) returns setof uuid
    language sql stable security definer set search_path = ''
    begin atomic
        select id from public.profiles where company_id = company;
    end;
revoke execute on function accounts.people_of from public;

-- The caller, read with the caller's own rights.
create or replace view accounts.me with (security_invoker = true) as
    select p.id as user_id, p.email, p.company_id, coalesce(c.name, '') as company_name
      from public.profiles p
      left join public.companies c on c.id = p.company_id
     where p.id = (select auth.uid());
grant select on accounts.me to authenticated;

-- How a company's emails are sent and its guests reminded.
create or replace view accounts.mail_settings with (security_invoker = true) as
    select id as company_id, sender_name, reply_to, time_zone, reminders, reminders_by_text,
           reminder_first_days, reminder_every_days, reminder_limit
      from public.companies;
grant select on accounts.mail_settings to service_role;
