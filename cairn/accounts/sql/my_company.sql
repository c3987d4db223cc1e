-- Policies write `(select accounts.my_company())`, which Postgres evaluates once per statement instead of once per row.
-- The function itself writes `(select auth.uid())` for the same reason: while there are few profiles, Postgres reads them all.
create or replace function accounts.my_company() returns uuid
    language sql stable security definer set search_path = ''
    begin atomic
        select company_id from public.profiles where id = (select auth.uid());
    end;
grant execute on function accounts.my_company to public;

create or replace function accounts.company_name(company uuid) returns text
    language sql stable security definer set search_path = ''
    begin atomic
        select coalesce((select nullif(trim(name), '') from public.companies where id = $1), 'the Company');
    end;
grant execute on function accounts.company_name to public;

-- Each company owns the private channels `company:<id>` and `company:<id>:…`.
create or replace function accounts.is_my_companys_topic(topic text) returns boolean
    language sql stable
    return topic = 'company:' || accounts.my_company() or starts_with(topic, 'company:' || accounts.my_company() || ':');
grant execute on function accounts.is_my_companys_topic to public;
