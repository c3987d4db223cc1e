create or replace function auth.jwt() returns jsonb
    language sql stable parallel safe
    return coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;

-- Returns null for a user with a second factor until they have verified it in this session. Until then, every policy
-- that compares auth.uid() treats them as a stranger. The first case saves the lookup for guests, who have no `sub`.
create or replace function auth.uid() returns uuid
    language sql stable parallel safe
    return case
        when auth.jwt() ->> 'sub' is null then null
        when auth.jwt() ->> 'aal' = 'aal2' or not auth.has_second_factor() then (auth.jwt() ->> 'sub')::uuid
    end;

create or replace function auth.role() returns text
    language sql stable parallel safe
    return auth.jwt() ->> 'role';

-- This reads the table instead of the token, because a factor can be newer than the token.
create or replace function auth.has_second_factor() returns boolean
    language plpgsql stable parallel safe security definer set search_path = '' as $$
begin
    return exists (select from auth.mfa_factors
                    where user_id = (auth.jwt() ->> 'sub')::uuid and status = 'verified');
end
$$;
