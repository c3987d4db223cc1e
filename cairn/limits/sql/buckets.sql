-- Takes one token from a bucket of `capacity` tokens that refills completely in `refill_time`. Returns null, or the
-- seconds to wait if the bucket is empty. Other packages call it from their own functions, so that a refusal rolls back
-- with the transaction that it refuses.
create or replace function limits.take(bucket text, capacity int, refill_time interval) returns double precision
    language plpgsql security definer set search_path = '' as $$
declare
    token constant interval := refill_time / capacity;
    wait double precision;
begin
    insert into limits.buckets as existing (bucket, full_at)
    values (take.bucket, now() + token)
    on conflict on constraint buckets_pkey do update
          set full_at = greatest(existing.full_at, now()) + token
        where greatest(existing.full_at, now()) + token <= now() + refill_time;
    if found then
        return null;
    end if;
    select extract(epoch from b.full_at + token - refill_time - now()) into wait
      from limits.buckets b where b.bucket = take.bucket;
    -- A row that a concurrent transaction has just inserted is not in our snapshot; then the wait is one token.
    return greatest(coalesce(wait, extract(epoch from token)), 0);
end
$$;
revoke execute on function limits.take from public;
grant execute on function limits.take to service_role;

create or replace function limits.give_back(bucket text, capacity int, refill_time interval) returns void
    language sql security definer set search_path = '' as $$
    update limits.buckets b set full_at = b.full_at - refill_time / capacity where b.bucket = give_back.bucket;
$$;
revoke execute on function limits.give_back from public;
grant execute on function limits.give_back to service_role;

-- Deletes the buckets that are full again, because a missing bucket is a full one.
create or replace function limits.sweep() returns void
    language sql security definer set search_path = '' as $$
    delete from limits.buckets where full_at < now();
$$;
revoke execute on function limits.sweep from public;
grant execute on function limits.sweep to service_role;
