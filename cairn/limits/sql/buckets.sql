-- A bucket is stored as one time: `full_at`, when it will be full again. Taking a token moves that time by the interval in
-- which one token refills, and the bucket is empty if the time would be later than `time_window` from now.

-- Takes one token from a bucket of `max_requests` tokens that refills completely in `time_window`. Returns null, or the
-- seconds to wait if the bucket is empty. Other packages call it in their own transactions. If a request is refused, its
-- rollback then also returns the token.
create or replace function limits.take(bucket text, max_requests int, time_window interval) returns double precision
    language plpgsql security definer set search_path = '' as $$
declare
    token constant interval := time_window / max_requests;
    wait double precision;
begin
    insert into limits.buckets as existing (bucket, full_at)
    values (take.bucket, now() + token)
    on conflict on constraint buckets_pkey do update
          set full_at = greatest(existing.full_at, now()) + token
        where greatest(existing.full_at, now()) + token <= now() + time_window;
    if found then
        return null;
    end if;
    select extract(epoch from b.full_at + token - time_window - now()) into wait
      from limits.buckets b where b.bucket = take.bucket;
    -- A row that a concurrent transaction has just inserted is not in our snapshot. Then the wait is the time in which
    -- one token refills.
    return greatest(coalesce(wait, extract(epoch from token)), 0);
end
$$;
grant execute on function limits.take to service_role;

create or replace function limits.give_back(bucket text, max_requests int, time_window interval) returns void
    language sql security definer set search_path = '' as $$
    update limits.buckets b set full_at = b.full_at - time_window / max_requests where b.bucket = give_back.bucket;
$$;
grant execute on function limits.give_back to service_role;

-- Returns null if the bucket has a token, or the seconds to wait for one. Takes nothing.
create or replace function limits.wait(bucket text, max_requests int, time_window interval) returns double precision
    language sql stable security definer set search_path = '' as $$
    select extract(epoch from b.full_at + time_window / max_requests - time_window - now())
      from limits.buckets b
     where b.bucket = wait.bucket and b.full_at + time_window / max_requests > now() + time_window
$$;
grant execute on function limits.wait to service_role;
