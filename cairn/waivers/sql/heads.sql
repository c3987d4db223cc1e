-- Signed heads of the histories of each company: docs/evidence-format.md describes their bytes.

-- Heads are append-only. These triggers also protect them from mistakes in the server's own code.
create or replace trigger keep_heads before update or delete on waivers.chain_heads
    for each row execute function waivers.refuse_row('head_is_final');

create or replace trigger keep_head_entries before update or delete on waivers.head_entries
    for each row execute function waivers.refuse_row('head_is_final');

create or replace trigger keep_head_timestamps before update or delete on waivers.head_timestamps
    for each row execute function waivers.refuse_row('head_is_final');

-- The heads as a company can export them. The view has no join, so that an attempt to write to it is refused because the privilege
-- is missing, as for any other view.
create or replace view public.chain_heads with (security_invoker = true) as
    select h.company_id, h.number, encode(h.previous, 'hex') as previous, h.at, h.session_count, h.waiver_count,
           h.event_count, h.entry_count, encode(h.root, 'hex') as root, encode(h.hash, 'hex') as hash,
           encode(h.signature, 'hex') as signature, h.certificate,
           case when exists (select from waivers.head_timestamps t where t.head_id = h.id) then 'confirmed'
                when h.wants_timestamp then 'pending' else 'none' end as timestamp_status,
           (select t.timestamped_at from waivers.head_timestamps t where t.head_id = h.id) as timestamped_at,
           (select encode(t.token, 'hex') from waivers.head_timestamps t where t.head_id = h.id) as timestamp_token
      from waivers.chain_heads h;
grant select on public.chain_heads to authenticated, service_role;

-- Makes transactions that add heads of one company wait for each other, so that the numbers of the heads have no gaps. Guests who
-- sign do not wait for this lock.
create or replace function waivers.lock_heads(company uuid) returns void
    language sql security definer set search_path = ''
    return pg_advisory_xact_lock(hashtextextended('waivers.chain_heads ' || coalesce(company::text, 'none'), 0));
grant execute on function waivers.lock_heads to service_role;

-- Returns the histories that have grown since a head last covered them, in the order of their sessions. A history that no
-- longer contains what a head covered is left out, so that no head ever confirms it; broken_evidence reports it.
create or replace function waivers.uncovered_histories(sessions uuid[])
    returns table (company_id uuid, session_id uuid, event_count int, last_hash bytea, new_events int, new_waivers int,
                   is_first boolean)
    language sql stable security definer set search_path = '' as $$
    select s.company_id, s.id, history.event_count, history.last_hash, history.event_count - coalesce(covered.event_count, 0),
           history.new_waivers, covered.event_count is null
      from unnest(sessions) as wanted (id)
      join waivers.sessions s on s.id = wanted.id
      left join lateral (
        select n.event_count, n.last_hash from waivers.head_entries n
         where n.session_id = s.id order by n.event_count desc limit 1) covered on true
      cross join lateral (
        select count(*)::int as event_count,
               (array_agg(e.hash order by e.position desc))[1] as last_hash,
               (count(*) filter (where e.name = 'waiver.signed'
                                   and e.position > coalesce(covered.event_count, 0)))::int as new_waivers,
               covered.event_count is null
               or bool_or(e.position = covered.event_count and e.hash = covered.last_hash) as contains_covered
          from (select a.name, a.hash, row_number() over (order by a.id) as position
                  from waivers.audit_events a where a.session_id = s.id) e) history
     where history.event_count > coalesce(covered.event_count, 0) and history.contains_covered
     order by s.id::text collate "C"
$$;
grant execute on function waivers.uncovered_histories to service_role;

-- True if the company has a head between these times, and before the head with this number, if it is given.
create or replace function waivers.has_head_between(
    company uuid, after timestamptz, before timestamptz, before_number int) returns boolean
    language plpgsql stable set search_path = '' as $$
begin
    -- PostgreSQL uses no index for `is not distinct from`.
    if company is null then
        return exists (select from waivers.chain_heads h
                        where h.company_id is null and h.at > after and h.at < before
                          and (before_number is null or h.number < before_number));
    end if;
    return exists (select from waivers.chain_heads h
                    where h.company_id = company and h.at > after and h.at < before
                      and (before_number is null or h.number < before_number));
end
$$;
grant execute on function waivers.has_head_between to service_role;

-- Returns the heads that show when the events of a session existed, in order: for each event, all heads from the newest one
-- before it to the first one that covers it, or to the newest head of the company if none covers it. So the result also contains
-- a head whose entry someone deleted in order to replace the history. Heads of the same `span` follow each other; the span 0
-- begins with the first head of the company.
-- With `only_of_waivers`, only events that open, sign, seal, revoke or erase count. Guests can cause others, such as visits, whenever
-- many histories of the company grow, until there is too much to check.
create or replace function waivers.heads_around_events(session uuid, only_of_waivers boolean)
    returns table (span int, head_id bigint)
    -- The plan for this company uses indexes. A plan for all companies could not, because some sessions have no company.
    language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
    company uuid := (select s.company_id from waivers.sessions s where s.id = session);
begin
    return query
    with events as (
        select e.name, e.at, row_number() over (order by e.id) as position from waivers.audit_events e where e.session_id = session
    ), ends as (
        select coalesce((select h.number from waivers.chain_heads h
                          where (h.company_id = company or company is null and h.company_id is null) and h.at <= e.at
                          order by h.at desc, h.number desc limit 1), 0) as before,
               coalesce((select h.number from waivers.head_entries n join waivers.chain_heads h on h.id = n.head_id
                          where n.session_id = session and n.event_count >= e.position
                            and h.company_id is not distinct from company
                          order by n.event_count limit 1),
                        (select max(h.number) from waivers.chain_heads h
                          where h.company_id = company or company is null and h.company_id is null)) as last
          from events e
         where not only_of_waivers
            or e.name in ('session.opened', 'waiver.signed', 'document.sealed',
                          'waiver.revoked', 'waiver.superseded', 'waiver.erased')
    ), spans as (
        select unnest(range_agg(int4range(least(n.before, n.last), n.last, '[]'))) as numbers from ends n where n.last is not null)
    select lower(s.numbers), h.id
      from spans s
      join waivers.chain_heads h
        on (h.company_id = company or company is null and h.company_id is null)
           and h.number >= lower(s.numbers) and h.number < upper(s.numbers)
     order by h.number, h.id;
end
$$;
grant execute on function waivers.heads_around_events to service_role;
