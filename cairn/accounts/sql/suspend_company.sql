-- A suspended company keeps all its records and can read them, but nothing can be sent, changed or signed. Everyone may call this,
-- because the signing page is read without an account.
create or replace function accounts.is_suspended(company uuid) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from public.companies c where c.id = company and c.suspended_at is not null);
grant execute on function accounts.is_suspended to public;

-- Raises a refusal if the caller belongs to a suspended company. The server itself belongs to no company and is never refused.
create or replace function accounts.refuse_suspended() returns void
    language sql stable security definer set search_path = '' as $$
    select accounts.refuse('company_suspended') where accounts.is_suspended(accounts.my_company())
$$;

create or replace function accounts.refuse_suspended_statement() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform accounts.refuse_suspended();
    return null;
end
$$;

create or replace trigger refuse_suspended before update on public.companies
    for each statement execute function accounts.refuse_suspended_statement();
