-- Returns the id that a REST request filters by (`id=eq.…` at the top level). Where ids cannot be guessed,
-- policies use it to let anyone who knows the id of a row read that row. Returns null for a request with a list, a range or `or`.
create or replace function auth.requested_id() returns text
    language sql stable parallel safe
    return (nullif(current_setting('request.eq', true), '')::jsonb) ->> 'id';
grant execute on function auth.requested_id to public;

-- Returns the same id for tables with a uuid key, or null if the id is not a uuid.
create or replace function auth.requested_uuid() returns uuid
    language sql stable parallel safe
    return case
        when auth.requested_id() ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then auth.requested_id()::uuid
    end;
grant execute on function auth.requested_uuid to public;
