-- Who may touch anything at all.
--   anon, authenticated   people without and with an account; row-level security decides what they see
--   service_role          our own server code and the operator's service key; bypasses row-level security
--   authenticator         the only login the server uses; it can do nothing but become one of the three above
-- Roles belong to the whole cluster, so a second Cairn database finds them already made.

create schema cairn;
comment on schema cairn is 'The house itself: the ledger of migrations.';

create table cairn.migrations (
    name       text primary key,
    sha256     text not null,
    applied_at timestamptz not null default now()
);
alter table cairn.migrations enable row level security;

do $$
begin
    if not exists (select from pg_roles where rolname = 'anon') then
        create role anon nologin noinherit;
    end if;
    if not exists (select from pg_roles where rolname = 'authenticated') then
        create role authenticated nologin noinherit;
    end if;
    if not exists (select from pg_roles where rolname = 'service_role') then
        create role service_role nologin noinherit bypassrls;
    end if;
    if not exists (select from pg_roles where rolname = 'authenticator') then
        create role authenticator login noinherit;
    end if;
    grant anon, authenticated, service_role to authenticator;
    -- The login may connect to this very database, whatever its name; everything else it gets from the role it becomes.
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to authenticator', current_database());
end
$$;

revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;
grant usage on schema cairn to service_role;
grant select on cairn.migrations to service_role;

-- What a caller's token says, readable by every policy and trigger.
create schema auth;
grant usage on schema auth to anon, authenticated, service_role;

create function auth.jwt() returns jsonb
    language sql stable parallel safe
    return coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;

create function auth.uid() returns uuid
    language sql stable parallel safe
    return (auth.jwt() ->> 'sub')::uuid;

create function auth.role() returns text
    language sql stable parallel safe
    return auth.jwt() ->> 'role';

-- The exact id a request asked for (`id=eq.…` at the top level of its filters), handed over by the data service.
-- Holding an unguessable id is the right to see that one row; listing, ranges and `or` never set this.
create function auth.asked_id() returns text
    language sql stable parallel safe
    return (nullif(current_setting('request.eq', true), '')::jsonb) ->> 'id';

-- The same for tables keyed by uuid; something that is no uuid names no row.
create function auth.asked_uuid() returns uuid
    language sql stable parallel safe
    return case when auth.asked_id() ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then auth.asked_id()::uuid end;
