-- A bucket that is taken from is rewritten in place, which an index over what changes each time would not allow: a busy
-- address left thousands of dead rows behind it. The sweep, once in a while, reads the few buckets there are.
drop index auth.rate_limits_full_idx;
alter table auth.rate_limits set (fillfactor = 50);

-- Guests sign without an account, and nobody has no second factor to look for.
create or replace function auth.uid() returns uuid
    language sql stable parallel safe
    return case
        when auth.jwt() ->> 'sub' is null then null
        when auth.jwt() ->> 'aal' = 'aal2' or not auth.has_second_factor() then (auth.jwt() ->> 'sub')::uuid
    end;
