-- Appends an event to the history of a session. The hash of each event includes the hash of the previous one.
create or replace function waivers.append_audit(session waivers.sessions, name text, details jsonb) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    previous_hash bytea := (select e.hash from waivers.audit_events e
                             where e.session_id = session.id order by e.id desc limit 1);
    event_time    timestamptz := clock_timestamp();
begin
    insert into waivers.audit_events (session_id, company_id, name, details, at, previous, hash)
    values (session.id, session.company_id, name, details, event_time, previous_hash,
            waivers.audit_hash(previous_hash, session.id, name, details, event_time));
end
$$;
revoke execute on function waivers.append_audit from public;

-- Each field is on a separate line, so that two different entries never have the same text.
create or replace function waivers.audit_hash(previous bytea, session_id uuid, name text, details jsonb, at timestamptz)
    returns bytea
    language sql stable set timezone = 'UTC'
    return sha256(coalesce(previous, '') || convert_to(
        concat_ws(E'\n', session_id, name, details, to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), 'UTF8'));

-- Describes where a request came from. This is evidence; in addition, a reminder counts in the limits of the network from which
-- its session was opened. `by_company` shows that a guest
-- signed on a device of the company. Most signers have no account, so the company is looked up only for those who do.
create or replace function waivers.request_origin() returns jsonb
    language sql stable
    return jsonb_strip_nulls(jsonb_build_object(
        'ip', nullif(cairn.clean_line(current_setting('request.ip', true)), ''),
        'user_agent', nullif(left(cairn.clean_line(current_setting('request.user_agent', true)), 1000), ''),
        'by', auth.uid(),
        'by_company', case when auth.uid() is not null then accounts.my_company() end));

-- Records that someone opened the waiver and how far they scrolled, as the page reports it. This is only evidence.
create or replace function public.note_waiver_view(session_id uuid, scroll_depth int default null) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    session      waivers.sessions;
    view_count   int;
    last_view_at timestamptz;
begin
    select * into session from waivers.sessions s where s.id = session_id for update;
    if session.id is null or session.status = 'template_default' then
        return;
    end if;
    select count(*), max(e.at) into view_count, last_view_at
      from waivers.audit_events e where e.session_id = session.id and e.name = 'session.viewed';
    -- Anyone with the link can repeat this call, so the history records at most fifty views, five seconds apart.
    if view_count >= 50 or last_view_at > clock_timestamp() - interval '5 seconds' then
        return;
    end if;
    perform waivers.append_audit(session, 'session.viewed', waivers.request_origin() || jsonb_strip_nulls(
        jsonb_build_object('scroll_depth', least(greatest(scroll_depth, 0), 100))));
end
$$;
revoke execute on function public.note_waiver_view from public;
grant execute on function public.note_waiver_view to anon, authenticated, service_role;

-- Lists contradictions in the evidence; returns no rows as long as nothing was changed or removed.
create or replace function waivers.broken_evidence(only_session uuid default null)
    returns table (session_id uuid, waiver_id uuid, event_id bigint, reason text)
    language sql stable set search_path = '' as $$
    select e.session_id, (e.details ->> 'waiver_id')::uuid, e.id,
           case when e.previous is distinct from e.hash_before then 'the event before it is missing or was changed'
                else 'the event was changed' end
      from (select a.*, lag(a.hash) over (partition by a.session_id order by a.id) as hash_before
              from waivers.audit_events a
             where only_session is null or a.session_id = only_session) e
     where e.previous is distinct from e.hash_before
        or e.hash <> waivers.audit_hash(e.previous, e.session_id, e.name, e.details, e.at)
    union all
    select w.session_id, w.id, null, 'the signed record was changed'
      from waivers.signed w
     where (only_session is null or w.session_id = only_session) and w.record_sha256 <> waivers.record_hash(w)
    union all
    select w.session_id, w.id, null, 'the event of its signing is missing or names another record'
      from waivers.signed w
     where (only_session is null or w.session_id = only_session)
       and not exists (select from waivers.audit_events a
                        where a.session_id = w.session_id and a.name = 'waiver.signed'
                          and a.details ->> 'waiver_id' = w.id::text
                          and a.details ->> 'record_sha256' = encode(w.record_sha256, 'hex'))
$$;
revoke execute on function waivers.broken_evidence from public;
grant execute on function waivers.broken_evidence to service_role;
