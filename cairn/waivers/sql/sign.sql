-- Signing is one insert into public.signed_waivers, which succeeds or fails as a whole.

-- Clients send `strokes` and `document_secret` with the signature, but this view returns null for both. The strokes are read only
-- for the document, the evidence pack and the signer's own export, and of the secret only the hash is stored.
create or replace view public.signed_waivers with (security_invoker = true) as
    select id, template_id, template_name, signer_name, signer_email, signature, content, session_id, signed_at, company_id,
           consent_version, consent_language, consented_at, time_zone, null::jsonb as strokes,
           first_viewed_at, last_viewed_at, scroll_depth, template_version, encode(record_sha256, 'hex') as record_sha256,
           document_path, document_sha256, document_at,
           case when document_path is not null then 'ready' when waivers.document_failed(id) then 'failed' else 'preparing' end
               as document_status,
           null::text as document_secret, revoked_at, revoke_reason, superseded_by, held_since, erased_at,
           case when record_version >= 4 then waivers.signer_answers(id) end as answers,
           case when record_version >= 4 then waivers.minors_of(id) end as participants,
           initials, guardian
      from waivers.signed;
grant select, insert on public.signed_waivers to anon, authenticated, service_role;

create or replace function waivers.sign() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    session       waivers.sessions;
    stored        waivers.signed;
    -- A repeated request gets the answers only with the secret of the browser that signed, because others may know the signature.
    shows_answers boolean := true;
begin
    new.signer_name := cairn.clean_line(new.signer_name);
    new.signer_email := cairn.clean_address(new.signer_email);
    if coalesce(new.signer_name, '') = '' or coalesce(new.signer_email, '') = '' or coalesce(new.signature, '') = '' then
        perform waivers.refuse('signature_required');
    end if;
    if new.signer_email !~ '.@.' then
        perform waivers.refuse('signer_email_incomplete');
    end if;
    if not cairn.is_one_address(new.signer_email) then
        perform waivers.refuse('email_address_not_single');
    end if;
    perform waivers.check_signature(new.signature);
    -- A secret that can be guessed would be worse than none.
    if length(new.document_secret) < 32 then
        perform waivers.refuse('document_secret_too_short');
    end if;

    -- The lock makes simultaneous requests for one session wait for each other, so that a repeated request finds the
    -- record that the first one stored.
    select * into session from waivers.sessions where id = new.session_id for update;
    if session.id is null then
        perform waivers.refuse('session_not_found');
    end if;
    -- Without this condition, PostgreSQL would plan the query again for each signature without an id.
    if new.id is not null then
        select * into stored from waivers.signed where id = new.id;
    end if;
    if stored.id is null then
        stored := waivers.store_signature(session, new);
    elsif stored.session_id <> session.id or stored.signature <> new.signature then
        perform waivers.refuse('waiver_id_taken');
    else
        shows_answers := coalesce(stored.document_secret_sha256 = sha256(convert_to(new.document_secret, 'UTF8')), false);
    end if;

    -- An assignment is faster than a query.
    new := row(
        stored.id, stored.template_id, stored.template_name, stored.signer_name, stored.signer_email,
        stored.signature, stored.content, stored.session_id, stored.signed_at, stored.company_id,
        stored.consent_version, stored.consent_language, stored.consented_at, stored.time_zone, null::jsonb,
        stored.first_viewed_at, stored.last_viewed_at, stored.scroll_depth, stored.template_version,
        encode(stored.record_sha256, 'hex'), stored.document_path, stored.document_sha256, stored.document_at,
        case when stored.document_path is null then 'preparing' else 'ready' end, null::text,
        stored.revoked_at, stored.revoke_reason, stored.superseded_by, stored.held_since, stored.erased_at,
        case when stored.record_version >= 4 and shows_answers then waivers.signer_answers(stored.id) end,
        case when stored.record_version >= 4 and shows_answers then waivers.minors_of(stored.id) end,
        case when shows_answers then stored.initials end, case when shows_answers then stored.guardian end);
    return new;
end
$$;
grant execute on function waivers.sign to public;

create or replace trigger sign instead of insert on public.signed_waivers
    for each row execute function waivers.sign();

create or replace function waivers.store_signature(session waivers.sessions, request public.signed_waivers)
    returns waivers.signed
    language plpgsql set search_path = '' as $$
declare
    max_signatures constant int := 20;
    signing_time   timestamptz := clock_timestamp();
    origin         jsonb := waivers.request_origin();
    waiver         waivers.signed;
begin
    perform waivers.check_link(session);
    -- Every document of a session needs the history of the session, so that history must stay short. Signatures are
    -- counted only from the second one on, because nearly all sessions have one.
    if session.status = 'signed' then
        if (select count(*) from waivers.signed w where w.session_id = session.id) >= max_signatures then
            perform waivers.refuse('session_signed_too_often', jsonb_build_object('max_signatures', max_signatures));
        end if;
    end if;

    waiver.id := coalesce(request.id, gen_random_uuid());
    waiver.session_id := session.id;
    waiver.company_id := session.company_id;
    waiver.company_name := accounts.company_name(session.company_id);
    waiver.template_id := session.template_id;
    waiver.template_name := session.template_name;
    waiver.template_version := session.template_version;
    waiver.signer_name := request.signer_name;
    waiver.signer_email := request.signer_email;
    waiver.signature := request.signature;
    waiver.content := waivers.fill(session.template_content, request.signer_name, waiver.company_name);
    waiver.signed_at := signing_time;
    waiver.ip := origin ->> 'ip';
    waiver.user_agent := origin ->> 'user_agent';
    waiver.time_zone := cairn.clean_line(request.time_zone);
    waiver.strokes := waivers.clean_strokes(request.strokes);
    waiver.first_viewed_at := waivers.plausible_time(request.first_viewed_at, session.created_at, signing_time);
    waiver.last_viewed_at := greatest(
        waivers.plausible_time(request.last_viewed_at, session.created_at, signing_time), waiver.first_viewed_at);
    waiver.scroll_depth := request.scroll_depth;
    if request.consent_version is not null then
        waiver.consent_version := request.consent_version;
        waiver.consent_language := coalesce(request.consent_language, 'en');
        waiver.consent_text := (select c.text from public.consent_texts c
                                 where c.version = request.consent_version and c.language = waiver.consent_language);
        waiver.consented_at := coalesce(
            waivers.plausible_time(request.consented_at, session.created_at, signing_time), signing_time);
        if waiver.consent_text is null then
            perform waivers.refuse('consent_text_not_found');
        end if;
    end if;
    waiver.document_secret_sha256 := sha256(convert_to(request.document_secret, 'UTF8'));
    waiver.record_version := 3;
    if session.form is null then
        perform waivers.refuse_form_columns(request);
    else
        waiver := waivers.sign_form(waiver, session, request);
    end if;
    waiver.record_sha256 := waivers.record_hash(waiver);
    insert into waivers.signed select waiver.*;

    -- A second signature adds another record; the session still points to the first one.
    update waivers.sessions set status = 'signed', first_waiver_id = waiver.id
     where id = session.id and status = 'pending';

    perform waivers.append_audit(session, 'waiver.signed', jsonb_strip_nulls(
        origin || waivers.claimed_times(request) || jsonb_build_object(
            'waiver_id', waiver.id, 'signer_name', waiver.signer_name, 'signer_email', waiver.signer_email,
            'consent_version', waiver.consent_version, 'consent_language', waiver.consent_language,
            'scroll_depth', waiver.scroll_depth, 'record_sha256', encode(waiver.record_sha256, 'hex'))));
    perform jobs.raise_event('waiver.signed', jsonb_build_object(
        'waiver_id', waiver.id, 'session_id', waiver.session_id, 'company_id', waiver.company_id));
    return waiver;
end
$$;

-- Devices report when they showed the text and when the signer agreed, but their clocks may be wrong and their reports
-- invented. If a reported time is impossible, the record contains the nearest possible one: not after the signature, and
-- not before the session was opened. The page of a template opens its session only when the guest signs, so a time up to
-- a day before the signature is always accepted.
create or replace function waivers.plausible_time(claimed timestamptz, opened_at timestamptz, signing_time timestamptz)
    returns timestamptz
    language sql immutable
    return case when claimed is not null
        then least(greatest(claimed, least(opened_at, signing_time - interval '1 day')), signing_time) end;
grant execute on function waivers.plausible_time to public;

-- Returns the times as the device reported them. They are stored in the audit event of the signature, not in the record.
create or replace function waivers.claimed_times(request public.signed_waivers) returns jsonb
    language sql stable set timezone = 'UTC'
    return jsonb_strip_nulls(jsonb_build_object(
        'claimed_consented_at', (request).consented_at,
        'claimed_first_viewed_at', (request).first_viewed_at,
        'claimed_last_viewed_at', (request).last_viewed_at));

-- Returns the strokes if they have the format in which the signing page sends them, and otherwise null, because documents
-- and evidence packs show the strokes. A typed signature is printed in the document like a name, so it is cleaned like a
-- name and has the same maximum length.
create or replace function waivers.clean_strokes(strokes jsonb) returns jsonb
    language sql immutable
    return case when jsonb_typeof(strokes -> 'typed') = 'string'
        then jsonb_build_object('typed', left(cairn.clean_line(strokes ->> 'typed'), 400))
        when waivers.is_drawing(strokes) then strokes end;

-- True for a list of strokes, each of which is a list of points with numbers of at most 24 characters. PostgreSQL always
-- writes the fields of a JSON object in this order, so one regular expression over the text is enough. It is faster than
-- checking each point.
create or replace function waivers.is_drawing(strokes jsonb) returns boolean
    language sql immutable
    return strokes::text ~ replace(
        '^\[(?:\[(?:\{"x": NUMBER, "y": NUMBER, "time": NUMBER(?:, "pressure": NUMBER)?\}(?:, )?)*\](?:, )?)*\]$',
        'NUMBER', '[0-9.-]{1,24}');

-- The strokes of a stored record as documents and evidence packs can show them. A typed text stays as it was recorded.
-- Records that were stored before strokes were cleaned may contain anything; their hash still covers all of it.
create or replace function waivers.readable_strokes(strokes jsonb) returns jsonb
    language sql immutable
    return case when jsonb_typeof(strokes -> 'typed') = 'string' then jsonb_build_object('typed', strokes -> 'typed')
        when waivers.is_drawing(strokes) then strokes end;
grant execute on function waivers.readable_strokes, waivers.is_drawing to service_role;

-- Checks that the signature is a data URL of a PNG with reasonable dimensions, because a worker has to decompress it
-- later. Only the regular expression reads the whole text, once.
create or replace function waivers.check_signature(signature text) returns void
    language plpgsql immutable as $$
declare
    max_bytes    constant int := 700000;
    prefix_bytes constant int := 22;  -- 'data:image/png;base64,'
    header       bytea;
begin
    -- Counting bytes is faster than counting characters. A data URL has only single-byte characters.
    if octet_length(signature) > max_bytes then
        perform waivers.refuse('signature_too_large');
    end if;
    -- Valid base64 has whole groups of four characters, padded only at the end, and every PNG has at least 60 characters.
    -- Only the header is decoded here, which is in the first 32 characters.
    if octet_length(signature) < prefix_bytes + 60 or (octet_length(signature) - prefix_bytes) % 4 <> 0
       or signature !~ '^data:image/png;base64,[A-Za-z0-9+/]+={0,2}$' then
        perform waivers.refuse('signature_not_png');
    end if;
    header := decode(substr(signature, prefix_bytes + 1, 32), 'base64');
    if substr(header, 1, 8) <> '\x89504e470d0a1a0a' or substr(header, 13, 4) <> convert_to('IHDR', 'UTF8') then
        perform waivers.refuse('signature_not_png');
    end if;
    -- The upper 16 bits of width and height must be zero, and neither may exceed 4,096 pixels.
    if substr(header, 17, 2) <> '\x0000' or substr(header, 19, 2) > '\x1000'
       or substr(header, 21, 2) <> '\x0000' or substr(header, 23, 2) > '\x1000' then
        perform waivers.refuse('signature_too_large');
    end if;
end
$$;
grant execute on function waivers.check_signature to public;

-- Fills in both names in one pass, so that the name of a guest called "[COMPANY NAME]" is not replaced.
create or replace function waivers.fill(content text, participant text, company text) returns text
    language sql immutable
    return (select coalesce(string_agg(replace(piece, '[COMPANY NAME]', company), participant order by place), '')
              from unnest(string_to_array(content, '[PARTICIPANT NAME]')) with ordinality as part (piece, place));
grant execute on function waivers.fill to public;

-- A session without text cannot be signed.
create or replace trigger refuse_empty_content before insert on waivers.signed
    for each row when (trim(new.content) = '') execute function waivers.refuse_row('template_empty');

-- No role may update signed waivers; this trigger also protects them from mistakes in the server's own code. The only
-- changes it allows are to attach the document and to revoke the waiver, each of them once, to hold the waiver and to release
-- the hold, and to erase it.
create or replace function waivers.keep_signed() returns trigger
    language plpgsql as $$
declare
    without_allowed_changes waivers.signed := new;
begin
    if old.erased_at is null and new.erased_at is not null and old.held_since is null then
        return waivers.without_person(old, new.erased_at);
    end if;
    if old.document_path is null then
        without_allowed_changes.document_path := null;
        without_allowed_changes.document_sha256 := null;
        without_allowed_changes.document_at := null;
        without_allowed_changes.document_bytes := null;
    end if;
    if old.revoked_at is null then
        without_allowed_changes.revoked_at := null;
        without_allowed_changes.revoke_reason := null;
        without_allowed_changes.superseded_by := null;
    end if;
    without_allowed_changes.held_since := old.held_since;
    if without_allowed_changes is distinct from old or old.erased_at is not null then
        perform waivers.refuse('waiver_is_final');
    end if;
    return new;
end
$$;
grant execute on function waivers.keep_signed to public;

-- Returns what is left of an erased record: everything except what is known about the person who signed.
create or replace function waivers.without_person(record waivers.signed, erased_at timestamptz) returns waivers.signed
    language plpgsql immutable as $$
begin
    record.erased_at := erased_at;
    record.signer_name := '(erased)';
    record.signer_email := '(erased)';
    record.signature := '';
    record.content := '';
    record.strokes := null;
    record.ip := null;
    record.user_agent := null;
    record.time_zone := null;
    record.document_secret_sha256 := null;
    record.initials := null;
    record.guardian := null;
    record.form_bytes := null;
    record.document_bytes := null;
    record.revoke_reason := case when record.revoke_reason is not null then '(erased)' end;
    return record;
end
$$;

create or replace trigger keep_signed before update on waivers.signed
    for each row execute function waivers.keep_signed();
