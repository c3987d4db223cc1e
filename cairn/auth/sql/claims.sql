create or replace function auth.jwt() returns jsonb
    language sql stable parallel safe
    return coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;
grant execute on function auth.jwt to public;

-- Returns the id of the signed-in user. Returns null if the session of the token has ended, and also if the user has a
-- second factor that they have not verified in this session. Every policy that compares auth.uid() then treats the user
-- as a stranger. The token of a visitor who is not signed in has no `sub`; the first `when` saves the lookup of a session.
create or replace function auth.uid() returns uuid
    language sql stable parallel safe
    return case
        when auth.jwt() ->> 'sub' is null then null
        when auth.session_is_sufficient() then (auth.jwt() ->> 'sub')::uuid
    end;
grant execute on function auth.uid to public;

create or replace function auth.role() returns text
    language sql stable parallel safe
    return auth.jwt() ->> 'role';
grant execute on function auth.role to public;

-- The next two functions read the tables instead of the token, because the session may have ended or a factor may have
-- been added since the token was issued. A token that another program issued with the shared secret has no session.
create or replace function auth.session_is_sufficient() returns boolean
    language plpgsql stable parallel safe security definer set search_path = '' as $$
declare
    claims constant jsonb := auth.jwt();
begin
    if claims ? 'session_id' and not exists (select from auth.sessions where id = (claims ->> 'session_id')::uuid) then
        return false;
    end if;
    return claims ->> 'aal' = 'aal2' or not auth.has_second_factor();
end
$$;
grant execute on function auth.session_is_sufficient to public;

create or replace function auth.has_second_factor() returns boolean
    language plpgsql stable parallel safe security definer set search_path = '' as $$
begin
    return exists (select from auth.mfa_factors
                    where user_id = (auth.jwt() ->> 'sub')::uuid and status = 'verified');
end
$$;
grant execute on function auth.has_second_factor to public;
