-- Roles and the migration ledger.
--   anon, authenticated    visitors and signed-in users; row-level security decides which rows they see
--   authenticated_by_id    a signed-in user whose request names one exact id
--   service_role           the server and the operator's service key; bypasses row-level security
--   authenticator          the only login role of the server; it has no privileges except to become one of the others
-- Roles belong to the whole cluster, so they may already exist because of another Cairn database.

create schema cairn;
comment on schema cairn is 'The migration ledger and the definitions that were applied.';

create table cairn.migrations (
    name       text primary key,
    sha256     text not null,
    applied_at timestamptz not null default now()
);

-- Functions, views, triggers and policies as they were last applied from the sql/ folders.
create table cairn.definitions (
    object text primary key,
    sha256 text not null
);

alter table cairn.migrations  enable row level security;
alter table cairn.definitions enable row level security;

do $$
begin
    if not exists (select from pg_roles where rolname = 'anon') then
        create role anon nologin noinherit;
    end if;
    if not exists (select from pg_roles where rolname = 'authenticated') then
        create role authenticated nologin noinherit;
    end if;
    -- A separate role, because a policy for "own rows or the row with this id" would keep Postgres from reading any
    -- index in order: every list of a company would be read completely and sorted.
    if not exists (select from pg_roles where rolname = 'authenticated_by_id') then
        create role authenticated_by_id nologin inherit;
    end if;
    if not exists (select from pg_roles where rolname = 'service_role') then
        create role service_role nologin noinherit bypassrls;
    end if;
    if not exists (select from pg_roles where rolname = 'authenticator') then
        create role authenticator login noinherit;
    end if;
    grant authenticated to authenticated_by_id;
    grant anon, authenticated, authenticated_by_id, service_role to authenticator;
    -- The login role may connect to this database only; all other privileges come from the role it becomes.
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to authenticator', current_database());
end
$$;

revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;
grant usage on schema cairn to service_role;
grant select on cairn.migrations, cairn.definitions to service_role;
