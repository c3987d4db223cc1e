-- Limits how fast the disk is filled with the signatures, sessions and sendings of one company, and with signed samples.

-- Returns the size of everything that a person stores by signing. This function and the next two are inlined, so that PostgreSQL
-- reads only the lengths of the large texts. The 25,000 bytes are for the row, its index entries, its events and its emails, and 50,000
-- are assumed for a document whose size is not known: docs/scale.md says what a waiver with a signature of 10 KB costs, of which the
-- texts here are about 15 KB.
create or replace function waivers.bytes_of_signature(w waivers.signed) returns bigint
    language sql stable
    return 25000 + coalesce(w.document_bytes, 50000)
        + octet_length(w.signature) + octet_length(w.content) + coalesce(pg_column_size(w.strokes), 0)
        + octet_length(w.template_id) + octet_length(w.template_name) + octet_length(w.signer_name) + octet_length(w.signer_email)
        + coalesce(octet_length(w.user_agent), 0) + coalesce(octet_length(w.time_zone), 0)
        + coalesce(octet_length(w.company_name), 0) + coalesce(octet_length(w.consent_text), 0) + coalesce(w.form_bytes, 0);

-- Returns the size of everything that a person stores by opening a session. The 500 bytes are for the row, its index entries and its
-- event.
create or replace function waivers.bytes_of_session(s waivers.sessions) returns bigint
    language sql stable
    return 500 + octet_length(s.template_content) + octet_length(s.template_id) + octet_length(s.template_name)
        + octet_length(s.template_description) + coalesce(octet_length(s.recipient_name), 0)
        + coalesce(octet_length(s.recipient_email), 0) + coalesce(pg_column_size(s.form), 0);

-- Returns the size of everything that a company stores by sending a waiver.
create or replace function waivers.bytes_of_sending(t public.sent_waivers) returns bigint
    language sql stable
    return 500 + octet_length(t.template_content) + octet_length(t.template_id) + octet_length(t.template_name)
        + octet_length(t.recipient_name) + octet_length(t.recipient_email) + coalesce(octet_length(t.email_error), 0)
        + coalesce(octet_length(t.text_error), 0);

-- Measures what each company has stored in the last 24 hours. The worker calls this every minute, so that signing only
-- has to look up one key. Returns the companies that have reached their quota. Rows without a company are counted under
-- the UUID zero. `is_twice` says that a company has stored twice its quota, and `is_twice_by_company` that its own
-- accounts have. `is_full` says that it has stored four times its quota. `networks` are those that have used up their share; see
-- `largest_networks`. `is_over_quota` says what is refused to whom.
create or replace function waivers.measure_storage(max_bytes bigint) returns setof uuid
    language sql security definer set search_path = '' as $$
    with stored as (
        select w.company_id, waivers.bytes_of_signature(w) as bytes
          from waivers.signed w where w.signed_at > now() - interval '1 day'
        union all
        select s.company_id, waivers.bytes_of_session(s)
          from waivers.sessions s where s.created_at > now() - interval '1 day'
        union all
        select t.company_id, waivers.bytes_of_sending(t)
          from public.sent_waivers t where t.sent_at > now() - interval '1 day'
    ), reached as (
        select coalesce(company_id, '00000000-0000-0000-0000-000000000000') as company_id,
               sum(bytes) > 2 * max_bytes as is_twice, sum(bytes) > 4 * max_bytes as is_full
          from stored group by 1 having sum(bytes) > max_bytes
    ), ended as (
        delete from waivers.storage_quotas_reached q
         where not exists (select from reached r where r.company_id = q.company_id)
    )
    insert into waivers.storage_quotas_reached as q (company_id, until, is_twice, is_full, networks, is_twice_by_company)
    select company_id, now() + interval '1 hour', is_twice, is_full, waivers.largest_networks(company_id, max_bytes),
           is_twice and waivers.bytes_of_company(company_id) > 2 * max_bytes
      from reached
    on conflict (company_id) do update
       set until = excluded.until, is_twice = excluded.is_twice, is_full = excluded.is_full, networks = excluded.networks,
           is_twice_by_company = excluded.is_twice_by_company
    returning q.company_id
$$;
grant execute on function waivers.measure_storage to service_role;

-- Returns the IPv4 address or the IPv6 /64 network, or null if the text is not an address.
create or replace function waivers.network_of(ip text) returns inet
    language plpgsql immutable set search_path = '' as $$
declare
    address inet;
begin
    address := regexp_replace(ip, '^::ffff:(?=[0-9]+\.)', '', 'i');
    return network(set_masklen(address, case family(address) when 4 then 32 else 64 end));
exception when invalid_text_representation then
    return null;
end
$$;
grant execute on function waivers.network_of to service_role;

-- Returns the IPv4 address or the IPv6 /48 network. Providers assign up to a /48 network to one customer, so limits that a
-- customer must not multiply count it as one.
create or replace function waivers.larger_network_of(ip text) returns inet
    language sql immutable set search_path = ''
    return (select case family(n) when 6 then network(set_masklen(n, 48)) else n end from waivers.network_of(ip) as n);
grant execute on function waivers.larger_network_of to service_role;

-- Returns the networks that stored the most for a company in the last 24 hours: the largest ones, until what the others have
-- stored fits into the quota. Each network that is larger lowers this quota by 5 %, so that no one gains by moving from network
-- to network. A network with less than 5 % is never returned. An IPv6 /48 network counts as one. A session counts for
-- the network that opened it, unless the company opened it. The networks from which the company itself opened sessions, such as
-- its office or its tablet, come last, and are returned only if they alone do not fit into the quota.
create or replace function waivers.largest_networks(company uuid, max_bytes bigint) returns inet[]
    language sql stable set search_path = '' as $$
    with stored as (
        select w.ip, waivers.bytes_of_signature(w) as bytes, false as by_company
          from waivers.signed w
         where w.signed_at > now() - interval '1 day' and coalesce(w.company_id, '00000000-0000-0000-0000-000000000000') = company
        union all
        select e.details ->> 'ip', waivers.bytes_of_session(s), coalesce(e.details ->> 'by_company' = company::text, false)
          from waivers.sessions s
          join waivers.audit_events e on e.session_id = s.id and e.name = 'session.opened'
         where s.created_at > now() - interval '1 day' and coalesce(s.company_id, '00000000-0000-0000-0000-000000000000') = company
    ), by_address as (
        select ip, coalesce(sum(bytes) filter (where not by_company), 0) as bytes, bool_or(by_company) as is_own
          from stored group by ip
    ), by_network as (
        select waivers.larger_network_of(ip) as network, sum(bytes) as bytes, bool_or(is_own) as is_own from by_address group by 1
    ), ordered as (
        select network, bytes, is_own,
               sum(bytes) over (order by is_own desc, bytes, network rows unbounded preceding) as bytes_without_larger,
               row_number() over (order by is_own, bytes desc, network desc) - 1 as larger_networks
          from by_network where network is not null
    )
    select coalesce(array_agg(network), '{}')
      from ordered
     where bytes > max_bytes / 20
       and bytes_without_larger > case when is_own then max_bytes else max_bytes - larger_networks * max_bytes / 20 end
$$;

-- Returns what the accounts of a company have stored themselves in the last 24 hours. This includes what guests signed on a device
-- of the company.
create or replace function waivers.bytes_of_company(company uuid) returns bigint
    language sql stable set search_path = ''
    return (select coalesce(sum(waivers.bytes_of_session(s)), 0)
              from waivers.sessions s
              join waivers.audit_events e on e.session_id = s.id and e.name = 'session.opened'
             where s.created_at > now() - interval '1 day' and s.company_id = company
               and e.details ->> 'by_company' = company::text)
         + (select coalesce(sum(waivers.bytes_of_signature(w)), 0)
              from waivers.signed w
              join waivers.audit_events e on e.session_id = w.session_id and e.name = 'waiver.signed'
                                         and e.details ->> 'waiver_id' = w.id::text
             where w.signed_at > now() - interval '1 day' and w.company_id = company
               and e.details ->> 'by_company' = company::text)
         + (select coalesce(sum(waivers.bytes_of_sending(t)), 0)
              from public.sent_waivers t
             where t.sent_at > now() - interval '1 day' and t.company_id = company);

-- Returns true if the caller is refused because the company has reached its quota. The company itself, also on the device on which
-- its guests sign, is refused only because of what its own accounts have stored. Everyone else is refused if their network is
-- unknown or is one of the `largest_networks`: a large signature as soon as the company has reached its quota, and any other row
-- when it has stored twice its quota. If `is_full`, large signatures are refused whatever the network is.
create or replace function waivers.is_over_quota(reached waivers.storage_quotas_reached, is_large boolean) returns boolean
    language sql stable set search_path = ''
    return case when reached.company_id = accounts.my_company() then reached.is_twice_by_company
                when is_large and reached.is_full then true
                when is_large or reached.is_twice
                then (select network is null or network <<= any (reached.networks)
                        from waivers.network_of(current_setting('request.ip', true)) as network)
                else false end;

-- Refuses a new row if `is_over_quota`. The argument 'large' is for large signatures. Takes no lock.
create or replace function waivers.check_storage_quota() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if exists (select from waivers.storage_quotas_reached q
                where q.company_id = coalesce(new.company_id, '00000000-0000-0000-0000-000000000000')
                  and q.until > now()
                  and waivers.is_over_quota(q, is_large => tg_argv[0] = 'large')) then
        perform waivers.refuse('storage_quota_reached');
    end if;
    return new;
end
$$;

create or replace trigger check_storage_quota before insert on waivers.signed
    for each row execute function waivers.check_storage_quota('any');

-- A drawn signature has about 10,000 bytes, its strokes have about 20,000, and a photo of a form has up to 300,000.
create or replace trigger check_storage_quota_of_large before insert on waivers.signed
    for each row when (octet_length(new.signature) > 50000 or pg_column_size(new.strokes) > 100000 or new.form_bytes > 100000)
    execute function waivers.check_storage_quota('large');

create or replace trigger check_storage_quota before insert on waivers.sessions
    for each row execute function waivers.check_storage_quota('any');

create or replace trigger check_storage_quota before insert on public.sent_waivers
    for each row execute function waivers.check_storage_quota('any');

-- Samples belong to no company, so no one erases what strangers sign to try them. A network signs at most 500 of them in a day.
create or replace function waivers.check_samples_of_network() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform waivers.refuse('storage_quota_reached')
      where limits.take(format('signed samples of %s', coalesce(waivers.larger_network_of(new.ip)::text, 'unknown')),
                        500, interval '1 day') is not null;
    return new;
end
$$;

create or replace trigger check_samples_of_network before insert on waivers.signed
    for each row when (new.company_id is null) execute function waivers.check_samples_of_network();
