-- Appends an event to the history of a session. The hash of each event includes the hash of the previous one.
create or replace function waivers.append_audit(session waivers.sessions, name text, details jsonb) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    event waivers.audit_events;
begin
    event.session_id := session.id;
    event.name := name;
    event.details := details;
    event.at := clock_timestamp();
    event.previous := (select e.hash from waivers.audit_events e where e.session_id = session.id order by e.id desc limit 1);
    event.version := 3;
    -- 122 of these 128 bits are random.
    event.salt := uuid_send(gen_random_uuid());
    event.is_erased := false;
    insert into waivers.audit_events (session_id, company_id, name, details, at, previous, version, salt, hash)
    values (event.session_id, session.company_id, event.name, event.details, event.at, event.previous, event.version,
            event.salt, waivers.expected_hash(event));
    -- The new event has details, so the session has to be erased again.
    if session.erased_at is not null then
        update waivers.sessions s set erased_at = null where s.id = session.id;
    end if;
end
$$;

-- Returns the hash of an event. Each field is on a separate line, so that two different events never have the same text.
-- `details` is the line about the details. It starts with a brace in version 1, has 64 digits in version 2, and starts with `3 `
-- in version 3, so an event of one version cannot be passed off as an event of another. If it is null, so is the hash.
create or replace function waivers.audit_hash(previous bytea, session_id uuid, name text, details text, at timestamptz)
    returns bytea
    language sql stable set timezone = 'UTC'
    return sha256(coalesce(previous, '') || convert_to(
        session_id || E'\n' || name || E'\n' || details || E'\n' || to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'UTF8'));
grant execute on function waivers.audit_hash to public;

-- Returns the keys of the ids and hashes in the details of events. These name no one, so they stay readable when an event is
-- erased.
create or replace function waivers.public_keys() returns text[]
    language sql immutable
    return array['waiver_id', 'email_id', 'text_id', 'replaces', 'replaced_by', 'superseded_by',
                 'record_sha256', 'document_sha256', 'certificate_sha256', 'history_sha256'];
grant execute on function waivers.public_keys to public;

create or replace function waivers.public_details(details jsonb) returns jsonb
    language sql immutable
    return (select coalesce(jsonb_object_agg(d.key, d.value), '{}') from jsonb_each(details) d
             where d.key = any (waivers.public_keys()));
grant execute on function waivers.public_details to public;

-- Returns the hash of that part of the details that an erasure removes. In version 2 it covers all details.
create or replace function waivers.private_hash(event waivers.audit_events) returns bytea
    language sql stable
    return case
        when (event).is_erased then (event).details_sha256
        when (event).version = 2 then sha256((event).salt || convert_to((event).details::text, 'UTF8'))
        else sha256((event).salt || convert_to(((event).details - waivers.public_keys())::text, 'UTF8')) end;
grant execute on function waivers.private_hash to public;

-- Returns the line about the details in the hashed text of an event. All details that an erased event still has are hashed as
-- public details, so that none can be added. Returns null if the details cannot be checked.
create or replace function waivers.details_line(event waivers.audit_events) returns text
    language sql stable
    return case (event).version
        when 3 then waivers.details_line_of_version_3(event)
        when 2 then encode(waivers.private_hash(event), 'hex')
        when 1 then case when not (event).is_erased then (event).details::text end end;
grant execute on function waivers.details_line to public;

create or replace function waivers.details_line_of_version_3(event waivers.audit_events) returns text
    language sql stable
    return '3 ' || encode(sha256(
        sha256(convert_to(case when (event).is_erased then (event).details else waivers.public_details((event).details) end
                          ::text, 'UTF8'))
        || waivers.private_hash(event)), 'hex');
grant execute on function waivers.details_line_of_version_3 to public;

-- Returns a hash over the events of version 1 of a session. It covers them as if they had version 3, so that it stays the same when
-- their details are erased. Returns null if there are no such events, or if one of them has no salt.
create or replace function waivers.upgraded_history_hash(session uuid) returns bytea
    language sql stable set search_path = '' as $$
    select case when bool_and(e.upgraded_hash is not null)
                then sha256(string_agg(e.hash || e.upgraded_hash, ''::bytea order by e.id)) end
      from (select a.id, a.hash,
                   waivers.audit_hash(a.previous, a.session_id, a.name, waivers.details_line_of_version_3(a), a.at) as upgraded_hash
              from waivers.audit_events a where a.session_id = session and a.version = 1) e
$$;
grant execute on function waivers.upgraded_history_hash to service_role;

-- Lets the details of events of version 1 be erased: gives them salts, and appends an event with a hash over them. Does nothing
-- if this was done before, or if earlier builds have erased some of the details.
create or replace function waivers.upgrade_history(session waivers.sessions) returns void
    language plpgsql set search_path = '' as $$
begin
    if not exists (select from waivers.audit_events e where e.session_id = session.id and e.version = 1)
       or exists (select from waivers.audit_events e
                   where e.session_id = session.id
                     and (e.name in ('session.upgraded', 'waiver.erased', 'session.erased') or e.version = 1 and e.is_erased)) then
        return;
    end if;
    update waivers.audit_events e set salt = uuid_send(gen_random_uuid()) where e.session_id = session.id and e.version = 1;
    perform waivers.append_audit(session, 'session.upgraded', jsonb_build_object(
        'history_sha256', encode(waivers.upgraded_history_hash(session.id), 'hex')));
end
$$;

-- Recomputes the hash of a stored event. Returns null if the event cannot be checked, because its version is unknown, or because
-- it was erased and has version 1, whose hash covers the removed details themselves.
create or replace function waivers.expected_hash(event waivers.audit_events) returns bytea
    language sql stable
    return waivers.audit_hash(
        (event).previous, (event).session_id, (event).name, waivers.details_line(event), (event).at);
grant execute on function waivers.expected_hash to public;

-- Describes where a request came from, as evidence. The limits of emails use it too: a reminder counts for the network from which
-- its session was opened. `by_company` shows that a guest signed on a device of the company. Most signers have no account, so the
-- company is looked up only for those who have one.
create or replace function waivers.request_origin() returns jsonb
    language sql stable
    return jsonb_strip_nulls(jsonb_build_object(
        'ip', nullif(cairn.clean_line(current_setting('request.ip', true)), ''),
        'user_agent', nullif(left(cairn.clean_line(current_setting('request.user_agent', true)), 1000), ''),
        'by', auth.uid(),
        'by_company', case when auth.uid() is not null then accounts.my_company() end));
grant execute on function waivers.request_origin to public;

-- Appends an event that callers can cause as often as they like. Therefore a history contains at most `max_events` events of
-- this name for each waiver, at least five seconds from each other; events without a waiver, such as views, are counted for the
-- whole session. The caller must have locked the session.
create or replace function waivers.append_limited_audit(
    session waivers.sessions, name text, details jsonb, max_events int) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    event_count   int;
    last_event_at timestamptz;
begin
    select count(*), max(e.at) into event_count, last_event_at
      from waivers.audit_events e
     where e.session_id = session.id and e.name = append_limited_audit.name
       and e.details ->> 'waiver_id' is not distinct from append_limited_audit.details ->> 'waiver_id';
    if event_count < max_events and coalesce(last_event_at <= clock_timestamp() - interval '5 seconds', true) then
        perform waivers.append_audit(session, name, details);
    end if;
end
$$;

-- True if waivers were signed with this link, or with the link that replaced it, and all of them are erased. What the history
-- says about people from then on would never be erased, so it records only acts of the company.
create or replace function waivers.are_all_waivers_erased(session waivers.sessions) returns boolean
    language sql stable set search_path = ''
    return not exists (select from waivers.signed w where w.session_id = session.id and w.erased_at is null)
        and exists (select from waivers.audit_events e where e.session_id = session.id and e.name = 'waiver.erased');

-- Records that someone opened the waiver, in which language the page was shown, and how far they scrolled, as the page
-- reports it. This is only evidence.
create or replace function public.note_waiver_view(
    session_id uuid, scroll_depth int default null, language text default null) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    session waivers.sessions;
begin
    select * into session from waivers.sessions s where s.id = session_id for update;
    if session.id is null or session.status = 'template_default' or waivers.are_all_waivers_erased(session) then
        return;
    end if;
    perform waivers.append_limited_audit(session, 'session.viewed', waivers.request_origin() || jsonb_strip_nulls(
        jsonb_build_object('scroll_depth', case when scroll_depth is not null then least(greatest(scroll_depth, 0), 100) end,
                           'language', case when language ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and length(language) <= 35
                                            then language end)), max_events => 50);
end
$$;
grant execute on function public.note_waiver_view to anon, authenticated, service_role;

-- Records who downloaded the document or exported the evidence pack. `access` says by which right: that of the company, of
-- the operator's key, of the signer, of the browser that signed, or of the link in an email.
create or replace function waivers.note_access(waiver_id uuid, name text, access jsonb, max_events int) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    session waivers.sessions := waivers.lock_session_of(waiver_id);
begin
    perform waivers.append_limited_audit(
        session, name, jsonb_strip_nulls(access || jsonb_build_object('waiver_id', waiver_id)), max_events);
end
$$;
grant execute on function waivers.note_access to service_role;

-- Lists contradictions in the evidence; returns no rows as long as nothing was changed or removed. The signatures of the
-- heads are checked in Python, because SQL has no function for that.
create or replace function waivers.broken_evidence(only_session uuid default null, only_company uuid default null)
    returns table (session_id uuid, waiver_id uuid, event_id bigint, reason text)
    -- A plan for these parameters reads one session with an index. A plan for all parameters would read all sessions.
    language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
    return query
    with events as materialized (
        select a.*, waivers.expected_hash(a) as expected_hash, lag(a.hash) over chain as hash_before,
               row_number() over chain as position,
               case when a.details ->> 'waiver_id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                    then (a.details ->> 'waiver_id')::uuid end as named_waiver
          from waivers.audit_events a
         where (only_session is null or a.session_id = only_session)
           and (only_company is null
                or a.session_id in (select s.id from waivers.sessions s where s.company_id = only_company)
                or a.company_id = only_company)
        window chain as (partition by a.session_id order by a.id)
    ), records as (
        select w from waivers.signed w
         where (only_session is null or w.session_id = only_session)
           and (only_company is null or w.company_id = only_company)
    )
    select e.session_id, e.named_waiver, e.id,
           case when e.previous is distinct from e.hash_before then 'the event before it is missing or was changed'
                when e.version = 1 and e.is_erased then 'the details of an event of version 1 were removed, so it cannot be checked'
                else 'the event was changed' end
      from events e
     where e.previous is distinct from e.hash_before
        or e.hash is distinct from e.expected_hash
           and not (e.version = 1 and e.is_erased
                    and exists (select from events u where u.session_id = e.session_id and u.name = 'session.upgraded'))
    union all
    -- The event must be older than every erasure, and no event of version 1 may follow one of a later version. Otherwise someone
    -- could pass off events of a later version as erased events of version 1.
    select u.session_id, null, u.id, 'the events of version 1 are not those to which this event commits'
      from events u
     where u.name = 'session.upgraded'
       and (u.details ->> 'history_sha256' is distinct from encode(waivers.upgraded_history_hash(u.session_id), 'hex')
            or exists (select from events e
                        where e.session_id = u.session_id
                          and (e.name in ('waiver.erased', 'session.erased') and e.id < u.id
                               or e.version = 1 and exists (select from events b where b.session_id = e.session_id
                                                             and b.id < e.id and b.version > 1))))
    union all
    select e.session_id, e.named_waiver, e.id, 'the details of the event were removed, but no waiver was erased after it'
      from events e
     where e.is_erased
       and not exists (select from events later
                        where later.session_id = e.session_id and later.id > e.id
                          and later.name in ('waiver.erased', 'session.erased') and not later.is_erased
                          and case when e.named_waiver is not null or waivers.names_waiver(e.name)
                                   then later.named_waiver = e.named_waiver
                                   -- Erasures of earlier builds, whose events have version 2, do not list the erased events.
                                   else e.version = 2 or later.details -> 'erased_events' @> to_jsonb(e.position) end)
    union all
    select e.session_id, e.named_waiver, e.id, 'the event says that a waiver was erased, but that waiver was not'
      from events e
     where e.name = 'waiver.erased'
       and not exists (select from waivers.signed w
                        where w.id = e.named_waiver and w.erased_at is not null
                          and (w.session_id = e.session_id or w.session_id in (select waivers.successors(e.session_id))))
    union all
    select e.session_id, null, e.id, 'the event says that the waiver was erased because it was never signed, but it was signed'
      from events e
     where e.name = 'session.erased'
       and (exists (select from waivers.signed w where w.session_id = e.session_id)
            or exists (select from events s where s.session_id = e.session_id and s.name = 'waiver.signed'))
    union all
    select e.session_id, e.named_waiver, e.id, 'the same event is in the history twice'
      from events e
     where e.name in ('waiver.signed', 'document.sealed', 'waiver.erased')
       and exists (select from events earlier
                    where earlier.session_id = e.session_id and earlier.id < e.id and earlier.name = e.name
                      and earlier.named_waiver = e.named_waiver)
    union all
    select e.session_id, e.named_waiver, e.id, 'the event was moved to another company'
      from events e join waivers.sessions s on s.id = e.session_id
     where e.company_id is distinct from s.company_id
    union all
    select e.session_id, e.named_waiver, e.id, 'the signed record is missing'
      from events e
     where e.name = 'waiver.signed'
       and not exists (select from waivers.signed w
                        where w.session_id = e.session_id and w.id = e.named_waiver)
    union all
    select (r.w).session_id, (r.w).id, null, 'the signed record was changed'
      from records r
     where (r.w).erased_at is null and (r.w).record_sha256 <> waivers.record_hash(r.w)
    union all
    select (r.w).session_id, (r.w).id, null, 'the record was erased, but the event of its erasure is missing or differs'
      from records r
     where (r.w).erased_at is not null
       and not exists (select from events e
                        where e.session_id = (r.w).session_id and e.name = 'waiver.erased' and not e.is_erased
                          and e.details ->> 'waiver_id' = (r.w).id::text
                          and e.details ->> 'record_sha256' = encode((r.w).record_sha256, 'hex')
                          and e.details ->> 'document_sha256' is not distinct from (r.w).document_sha256)
    union all
    select (r.w).session_id, (r.w).id, null, 'the event of its signing is missing or names another record'
      from records r
     where not exists (select from events e
                        where e.session_id = (r.w).session_id and e.name = 'waiver.signed'
                          and e.details ->> 'waiver_id' = (r.w).id::text
                          and (not e.is_erased or (r.w).erased_at is not null)
                          and e.details ->> 'record_sha256' = encode((r.w).record_sha256, 'hex'))
    union all
    select (r.w).session_id, (r.w).id, null, 'the event of its document is missing or names another document'
      from records r
     where (r.w).document_sha256 is not null
       and not exists (select from events e
                        where e.session_id = (r.w).session_id and e.name = 'document.sealed'
                          and e.details ->> 'waiver_id' = (r.w).id::text
                          and (not e.is_erased or (r.w).erased_at is not null)
                          and e.details ->> 'document_sha256' = (r.w).document_sha256)
    union all
    -- Both times come from the clock of the database and are some seconds from each other at most.
    select (r.w).session_id, (r.w).id, null,
           case when e.name = 'waiver.signed' then 'the record has another time than the event of its signing'
                else 'the record has another time than the event of its document, its revocation or its erasure' end
      from records r join events e on e.session_id = (r.w).session_id and e.named_waiver = (r.w).id
     where case e.name when 'waiver.signed' then (r.w).signed_at
                       when 'document.sealed' then (r.w).document_at
                       when 'waiver.revoked' then (r.w).revoked_at
                       when 'waiver.superseded' then (r.w).revoked_at
                       when 'waiver.erased' then (r.w).erased_at end
           not between e.at - interval '15 minutes' and e.at + interval '15 minutes'
    union all
    select (r.w).session_id, (r.w).id, null, 'the sensitive answers of a participant were changed'
      from records r
      join waivers.participants p on p.waiver_id = (r.w).id
      join waivers.sensitive_answers s on s.participant_id = p.id
     where waivers.sensitive_hash(s.salt, s.answers) is distinct from p.sensitive_sha256
    union all
    select (r.w).session_id, (r.w).id, null, 'the flags of a participant do not follow from the answers'
      from records r
      join waivers.sessions v on v.id = (r.w).session_id
      join waivers.participants p on p.waiver_id = (r.w).id
      left join waivers.sensitive_answers s on s.participant_id = p.id
     where not waivers.flags_match_answers(v.form, p, p.answers, p.flags, (r.w).signed_at, of_sensitive_questions => false)
        or not waivers.flags_match_answers(v.form, p, s.answers, s.flags, (r.w).signed_at, of_sensitive_questions => true)
    union all
    select e.session_id, e.named_waiver, e.id, 'the document of the signed record was removed or replaced'
      from events e join records r on (r.w).id = e.named_waiver
     where e.name = 'document.sealed' and (r.w).document_sha256 is distinct from e.details ->> 'document_sha256'
    union all
    select (r.w).session_id, (r.w).id, null, 'the event of its revocation is missing or names another reason'
      from records r
     where (r.w).revoked_at is not null
       and not exists (select from events e
                        where e.session_id = (r.w).session_id and e.name in ('waiver.revoked', 'waiver.superseded')
                          and e.details ->> 'waiver_id' = (r.w).id::text
                          and ((r.w).erased_at is not null
                               or not e.is_erased and e.details ->> 'reason' = (r.w).revoke_reason)
                          and e.details ->> 'superseded_by' is not distinct from (r.w).superseded_by::text)
    union all
    select e.session_id, e.named_waiver, e.id, 'the signed record is no longer marked as revoked'
      from events e join records r on (r.w).id = e.named_waiver
     where e.name in ('waiver.revoked', 'waiver.superseded') and (r.w).revoked_at is null
    union all
    select n.session_id, null, null,
           case when e.hash is null then 'the last events are missing: a signed head covers more of them'
                when e.hash <> n.last_hash then 'the history was replaced: a signed head covers another one'
                else 'the session was moved: a signed head of another company covers its history' end
      from waivers.head_entries n
      join waivers.chain_heads h on h.id = n.head_id
      left join events e on e.session_id = n.session_id and e.position = n.event_count
      left join waivers.sessions s on s.id = n.session_id
     where (only_session is null or n.session_id = only_session)
       and (only_company is null or h.company_id = only_company)
       and (e.hash is distinct from n.last_hash or s.company_id is distinct from h.company_id)
    union all
    -- A head covers all events of its company that exist, so an older event that it leaves out has a wrong time. Committing an
    -- event, and covering many histories with several heads, takes less than a quarter of an hour, so that difference is accepted.
    -- There were no heads when version 1 was written, so the first heads of a company cover all events of that version. The time
    -- of an erased event of version 1 is not covered by its hash, so even a head with the same time is reported.
    select e.session_id, e.named_waiver, e.id,
           case when e.version = 1 and e.is_erased then 'the event is not older than the first heads, so it does not have version 1'
                else 'heads that were signed after the event do not contain it' end
      from events e
      left join lateral (
        select h.at, h.number from waivers.head_entries n join waivers.chain_heads h on h.id = n.head_id
         where n.session_id = e.session_id and n.event_count >= e.position
           and h.company_id is not distinct from e.company_id
         order by n.event_count limit 1) covering on true
     where case when e.version = 1 and e.is_erased
                then waivers.has_head_between(
                    e.company_id, '-infinity', greatest(e.at + interval '1 microsecond',
                                                        coalesce(covering.at, now()) - interval '15 minutes'), null)
                else waivers.has_head_between(
                    e.company_id, e.at + interval '15 minutes',
                    coalesce(covering.at, now()) - interval '15 minutes', covering.number) end;
end
$$;
grant execute on function waivers.broken_evidence to service_role;

-- True if events of this name are always about one waiver, and name it.
create or replace function waivers.names_waiver(event_name text) returns boolean
    language sql immutable
    return event_name in ('waiver.signed', 'waiver.revoked', 'waiver.superseded', 'waiver.held', 'hold.released', 'waiver.erased',
                          'document.sealed', 'document.downloaded', 'evidence.exported');
grant execute on function waivers.names_waiver to public;

-- Returns the sessions that replaced this one, according to its history. The history of a replaced session also says that a
-- waiver of its successor was erased. A signed session is never replaced, so it has no successors.
create or replace function waivers.successors(session uuid) returns setof uuid
    language sql stable set search_path = '' as $$
    with recursive replaced as (
        select session as id
        union
        select (e.details ->> 'replaced_by')::uuid
          from replaced r join waivers.audit_events e on e.session_id = r.id
         where e.name in ('recipient.corrected', 'session.renewed')
           and e.details ->> 'replaced_by' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
           and not exists (select from waivers.audit_events s where s.session_id = r.id and s.name = 'waiver.signed'))
    select r.id from replaced r where r.id <> session
$$;
grant execute on function waivers.successors to service_role;
