-- Companies, and the public side of each person. A person of a company sees what is the company's.

create schema accounts;
grant usage on schema accounts to anon, authenticated, service_role;

create table public.companies (
    id         uuid primary key default gen_random_uuid(),
    name       text not null default '' check (length(name) <= 200),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create table public.profiles (
    id         uuid primary key references auth.users on delete cascade,
    role       text not null check (role in ('company', 'customer')),
    name       text not null check (length(name) between 1 and 200),
    email      text not null,
    company_id uuid references public.companies,
    bio        text not null default '' check (length(bio) <= 2000),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint companies_belong_to_company_people check ((role = 'company') = (company_id is not null))
);
create index profiles_company_idx on public.profiles (company_id);

-- Policies say `(select accounts.my_company())`, which Postgres works out once per statement instead of once per row.
create function accounts.my_company() returns uuid
    language sql stable security definer set search_path = ''
    begin atomic
        select company_id from public.profiles where id = auth.uid();
    end;

alter table public.companies enable row level security;
alter table public.profiles enable row level security;

create policy "people read their own company" on public.companies
    for select to authenticated using (id = (select accounts.my_company()));
create policy "people name their own company" on public.companies
    for update to authenticated using (id = (select accounts.my_company()));

create policy "people read themselves and their colleagues" on public.profiles
    for select to authenticated using (id = (select auth.uid()) or company_id = (select accounts.my_company()));
create policy "people edit themselves" on public.profiles
    for update to authenticated using (id = (select auth.uid()));

-- Column grants keep id, role, email and company out of reach: who one is, is settled at sign-up.
grant select on public.companies, public.profiles to authenticated;
grant update (name) on public.companies to authenticated;
grant update (name, bio) on public.profiles to authenticated;
grant select, insert, update, delete on public.companies, public.profiles to service_role;

create function cairn.touch_updated_at() returns trigger
    language plpgsql as $$
begin
    new.updated_at := now();
    return new;
end
$$;

create trigger companies_touch before update on public.companies
    for each row execute function cairn.touch_updated_at();
create trigger profiles_touch before update on public.profiles
    for each row execute function cairn.touch_updated_at();

-- Sign-up is one insert into auth.users; the public side follows in the same transaction.
create function accounts.settle_new_person() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    chosen_role text := coalesce(new.app_metadata ->> 'role', 'company');
    company     uuid;
begin
    if chosen_role = 'company' then
        company := nullif(new.app_metadata ->> 'company_id', '')::uuid;
        if company is null then
            insert into public.companies default values returning id into company;
        end if;
    end if;
    insert into public.profiles (id, role, name, email, company_id)
    values (
        new.id,
        chosen_role,
        left(coalesce(nullif(trim(new.user_metadata ->> 'name'), ''), nullif(split_part(new.email, '@', 1), ''), 'Someone'), 200),
        coalesce(new.email, ''),
        company
    );
    return new;
end
$$;
create trigger settle_new_person after insert on auth.users
    for each row execute function accounts.settle_new_person();

revoke execute on function accounts.settle_new_person() from public;
