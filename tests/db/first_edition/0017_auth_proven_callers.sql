-- Whoever has a second factor is somebody only once it was shown: until then the caller has no id, so that every policy,
-- old or new, which asks who is calling sees a stranger. The table is asked, because a factor may be younger than the token.

create function auth.has_second_factor() returns boolean
    language plpgsql stable parallel safe security definer set search_path = '' as $$
begin
    return exists (select from auth.mfa_factors
                    where user_id = (auth.jwt() ->> 'sub')::uuid and status = 'verified');
end
$$;

create or replace function auth.uid() returns uuid
    language sql stable parallel safe
    return case
        when auth.jwt() ->> 'aal' = 'aal2' or not auth.has_second_factor() then (auth.jwt() ->> 'sub')::uuid
    end;
