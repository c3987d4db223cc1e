-- Signed heads of the histories of each company: docs/evidence-format.md describes their bytes.

-- Heads are append-only. These triggers also protect them from mistakes in the server's own code.
create or replace trigger keep_heads before update or delete on waivers.chain_heads
    for each row execute function waivers.refuse_row('head_is_final');

create or replace trigger keep_head_entries before update or delete on waivers.head_entries
    for each row execute function waivers.refuse_row('head_is_final');

create or replace trigger keep_head_timestamps before update or delete on waivers.head_timestamps
    for each row execute function waivers.refuse_row('head_is_final');

-- The heads as a company can export them. The view has no join, so that an attempt to write to it is refused for its missing
-- privilege, like one to write to any other view.
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

-- Makes heads of one company wait for each other, so that their numbers have no gaps. Signing does not take this lock.
create or replace function waivers.lock_heads(company uuid) returns void
    language sql security definer set search_path = ''
    return pg_advisory_xact_lock(hashtextextended('waivers.chain_heads ' || coalesce(company::text, 'none'), 0));
revoke execute on function waivers.lock_heads from public;
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
revoke execute on function waivers.uncovered_histories from public;
grant execute on function waivers.uncovered_histories to service_role;
