-- Limits how fast strangers can fill the database with signatures and sessions of one company.

-- Measures what each company has stored in the last 24 hours. The worker calls this every minute, so that signing only
-- has to look up one key. Returns the companies that have reached their quota.
create or replace function waivers.measure_storage(max_bytes bigint) returns setof uuid
    language sql security definer set search_path = '' as $$
    with stored as (
        select company_id, octet_length(signature) + octet_length(content) + coalesce(pg_column_size(strokes), 0) as bytes
          from waivers.signed where signed_at > now() - interval '1 day'
        union all
        -- A company's own sendings are limited by its plan.
        select company_id, octet_length(template_content)
          from waivers.sessions where created_at > now() - interval '1 day' and recipient_email is null
    ), reached as (
        select coalesce(company_id, '00000000-0000-0000-0000-000000000000') as company_id
          from stored group by 1 having sum(bytes) > max_bytes
    ), ended as (
        delete from waivers.storage_quotas_reached q
         where not exists (select from reached r where r.company_id = q.company_id)
    )
    insert into waivers.storage_quotas_reached as q (company_id, until)
    select company_id, now() + interval '1 hour' from reached
    on conflict (company_id) do update set until = excluded.until
    returning q.company_id
$$;
revoke execute on function waivers.measure_storage from public;
grant execute on function waivers.measure_storage to service_role;

-- Refuses a new signature or session if the company has reached its quota. Takes no lock.
create or replace function waivers.check_storage_quota() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if exists (select from waivers.storage_quotas_reached q
                where q.company_id = coalesce(new.company_id, '00000000-0000-0000-0000-000000000000')
                  and q.until > now()) then
        perform waivers.refuse('storage_quota_reached');
    end if;
    return new;
end
$$;
revoke execute on function waivers.check_storage_quota from public;

create or replace trigger check_storage_quota before insert on waivers.signed
    for each row execute function waivers.check_storage_quota();

create or replace trigger check_storage_quota before insert on waivers.sessions
    for each row when (new.recipient_email is null) execute function waivers.check_storage_quota();
