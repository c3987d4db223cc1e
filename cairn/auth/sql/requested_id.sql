-- The exact id that the request filters by (`id=eq.…` at the top level), passed on by the REST service. Knowing an
-- unguessable id is the right to read that one row; lists, ranges and `or` never set it.
create or replace function auth.requested_id() returns text
    language sql stable parallel safe
    return (nullif(current_setting('request.eq', true), '')::jsonb) ->> 'id';

-- The same for tables with a uuid key; null if the id is not a uuid.
create or replace function auth.requested_uuid() returns uuid
    language sql stable parallel safe
    return case
        when auth.requested_id() ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then auth.requested_id()::uuid
    end;
