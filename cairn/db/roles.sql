-- The roles of Cairn; cairn/db/migrations/0001_baseline.sql explains them. They belong to the whole cluster, so they may
-- exist already. A superuser, or a role with CREATEROLE, may run this as often as it likes.
do $$
begin
    if not exists (select from pg_roles where rolname = 'anon') then
        create role anon nologin noinherit;
    end if;
    if not exists (select from pg_roles where rolname = 'authenticated') then
        create role authenticated nologin noinherit;
    end if;
    if not exists (select from pg_roles where rolname = 'authenticated_by_id') then
        create role authenticated_by_id nologin inherit;
    end if;
    if not exists (select from pg_roles where rolname = 'service_role') then
        begin
            create role service_role nologin noinherit bypassrls;
        exception when insufficient_privilege then
            -- Not everyone may create a role that bypasses row-level security. If service_role does not bypass it,
            -- `cairn migrate` adds a policy to each table that lets service_role read and change all rows.
            create role service_role nologin noinherit;
        end;
    end if;
    if not exists (select from pg_roles where rolname = 'authenticator') then
        create role authenticator login noinherit;
    end if;
    grant authenticated to authenticated_by_id;
    grant anon, authenticated, authenticated_by_id, service_role to authenticator;
end
$$;
