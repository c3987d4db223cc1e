create or replace function auth.jwt() returns jsonb
    language sql stable parallel safe
    return coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;

-- A user with a second factor has no id until the factor was verified in this session, so every policy that compares
-- auth.uid() treats the caller as a stranger until then. A caller without `sub` needs no lookup: most signers are
-- guests.
create or replace function auth.uid() returns uuid
    language sql stable parallel safe
    return case
        when auth.jwt() ->> 'sub' is null then null
        when auth.jwt() ->> 'aal' = 'aal2' or not auth.has_second_factor() then (auth.jwt() ->> 'sub')::uuid
    end;

create or replace function auth.role() returns text
    language sql stable parallel safe
    return auth.jwt() ->> 'role';

-- Reads the table and not the token, because a factor can be newer than the token.
create or replace function auth.has_second_factor() returns boolean
    language plpgsql stable parallel safe security definer set search_path = '' as $$
begin
    return exists (select from auth.mfa_factors
                    where user_id = (auth.jwt() ->> 'sub')::uuid and status = 'verified');
end
$$;
