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
