-- Limits how fast the database is filled with the signatures, sessions and sendings of one company.

-- Measures what each company has stored in the last 24 hours. The worker calls this every minute, so that signing only
-- has to look up one key. Returns the companies that have reached their quota. Rows without a company are counted under
-- the UUID zero.
create or replace function waivers.measure_storage(max_bytes bigint) returns setof uuid
    language sql security definer set search_path = '' as $$
    with stored as (
        select company_id, octet_length(signature) + octet_length(content) + coalesce(pg_column_size(strokes), 0) as bytes
          from waivers.signed where signed_at > now() - interval '1 day'
        union all
        select company_id, octet_length(template_content)
          from waivers.sessions where created_at > now() - interval '1 day'
        union all
        select company_id, octet_length(template_content)
          from public.sent_waivers where sent_at > now() - interval '1 day'
    ), reached as (
        select coalesce(company_id, '00000000-0000-0000-0000-000000000000') as company_id,
               sum(bytes) > 2 * max_bytes as is_twice
          from stored group by 1 having sum(bytes) > max_bytes
    ), ended as (
        delete from waivers.storage_quotas_reached q
         where not exists (select from reached r where r.company_id = q.company_id)
    )
    insert into waivers.storage_quotas_reached as q (company_id, until, is_twice)
    select company_id, now() + interval '1 hour', is_twice from reached
    on conflict (company_id) do update set until = excluded.until, is_twice = excluded.is_twice
    returning q.company_id
$$;
revoke execute on function waivers.measure_storage from public;
grant execute on function waivers.measure_storage to service_role;

-- Refuses a new row if the company has stored twice its quota. Between once and twice the quota, only large signatures are
-- refused, so that a guest who sends many of them does not keep honest guests out. The argument of the trigger, 'once' or
-- 'twice', says from which multiple of the quota it refuses rows. Takes no lock.
create or replace function waivers.check_storage_quota() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if exists (select from waivers.storage_quotas_reached q
                where q.company_id = coalesce(new.company_id, '00000000-0000-0000-0000-000000000000')
                  and q.until > now() and (q.is_twice or tg_argv[0] = 'once')) then
        perform waivers.refuse('storage_quota_reached');
    end if;
    return new;
end
$$;
revoke execute on function waivers.check_storage_quota from public;

create or replace trigger check_storage_quota before insert on waivers.signed
    for each row execute function waivers.check_storage_quota('twice');

-- A drawn signature has about 10,000 bytes, and its strokes have about 20,000.
create or replace trigger check_storage_quota_of_large before insert on waivers.signed
    for each row when (octet_length(new.signature) > 50000 or pg_column_size(new.strokes) > 100000)
    execute function waivers.check_storage_quota('once');

create or replace trigger check_storage_quota before insert on waivers.sessions
    for each row execute function waivers.check_storage_quota('twice');

create or replace trigger check_storage_quota before insert on public.sent_waivers
    for each row execute function waivers.check_storage_quota('twice');
