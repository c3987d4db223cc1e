-- Returns one hash over everything that was signed and agreed to. Each field is hashed first, so that no two different
-- records can produce the same input. docs/evidence-format.md describes the bytes, so that other programs can compute the
-- hash too. Therefore a stored version is never changed; a record with other fields gets a new version.
create or replace function waivers.record_hash(waiver waivers.signed) returns bytea
    language sql stable
    return case (waiver).record_version
        when 1 then waivers.record_hash_v1(
            (waiver).content, (waiver).signer_name, (waiver).signer_email, (waiver).signature)
        when 2 then waivers.record_hash_v2(waiver)
        when 3 then sha256(waivers.record_fields(waiver))
        else sha256(waivers.record_fields(waiver) || waivers.form_fields(waiver)) end;
grant execute on function waivers.record_hash to public;

-- The fields of version 3, in this order.
create or replace function waivers.record_fields(waiver waivers.signed) returns bytea
    language sql stable
    return (
            waivers.present_hash((waiver).record_version::text) || waivers.present_hash((waiver).id::text)
            || waivers.present_hash((waiver).session_id::text) || waivers.present_hash((waiver).company_id::text)
            || waivers.present_hash((waiver).company_name) || waivers.present_hash((waiver).template_id)
            || waivers.present_hash((waiver).template_name) || waivers.present_hash((waiver).template_version::text)
            || waivers.present_hash((waiver).content) || waivers.present_hash((waiver).signer_name)
            || waivers.present_hash((waiver).signer_email) || waivers.present_hash((waiver).signature)
            || waivers.present_hash((waiver).strokes::text) || waivers.present_hash(waivers.utc((waiver).signed_at))
            || waivers.present_hash((waiver).time_zone) || waivers.present_hash((waiver).ip)
            || waivers.present_hash((waiver).user_agent) || waivers.present_hash((waiver).consent_version)
            || waivers.present_hash((waiver).consent_language) || waivers.present_hash((waiver).consent_text)
            || waivers.present_hash(waivers.utc((waiver).consented_at))
            || waivers.present_hash(waivers.utc((waiver).first_viewed_at))
            || waivers.present_hash(waivers.utc((waiver).last_viewed_at))
            || waivers.present_hash((waiver).scroll_depth::text));
grant execute on function waivers.record_fields to public;

-- What version 4 adds: the form, what was signed with it, and the participants in their order.
create or replace function waivers.form_fields(waiver waivers.signed) returns bytea
    language sql stable set search_path = ''
    begin atomic
        select waivers.present_hash(s.form::text) || waivers.present_hash((waiver).initials::text)
               || waivers.present_hash((waiver).guardian::text)
               || coalesce((select string_agg(waivers.participant_hash(p), ''::bytea order by p.number)
                              from waivers.participants p where p.waiver_id = (waiver).id), '')
          from waivers.sessions s where s.id = (waiver).session_id;
    end;
grant execute on function waivers.form_fields to public;

create or replace function waivers.participant_hash(participant waivers.participants) returns bytea
    language sql stable
    return sha256(
        waivers.present_hash((participant).id::text) || waivers.present_hash((participant).number::text)
        || waivers.present_hash((participant).takes_part::text) || waivers.present_hash((participant).name)
        || waivers.present_hash(to_char((participant).birth_date, 'YYYY-MM-DD')) || waivers.present_hash((participant).kind)
        || waivers.present_hash((participant).answers::text) || waivers.present_hash((participant).signature)
        || waivers.present_hash(encode((participant).sensitive_sha256, 'hex')));
grant execute on function waivers.participant_hash to public;

create or replace function waivers.sensitive_hash(salt bytea, answers jsonb) returns bytea
    language sql immutable
    return sha256(salt || convert_to(answers::text, 'UTF8'));
grant execute on function waivers.sensitive_hash to public;

-- The hash of a field since version 3. A missing field counts as 32 zero bytes, so that it differs from an empty one.
create or replace function waivers.present_hash(field text) returns bytea
    language sql stable
    return coalesce(sha256(convert_to(field, 'UTF8')), decode(repeat('00', 32), 'hex'));
grant execute on function waivers.present_hash to public;

-- The hash of records with record_version 1, which had fewer fields.
create or replace function waivers.record_hash_v1(content text, signer_name text, signer_email text, signature text)
    returns bytea
    language sql immutable
    return sha256(sha256(convert_to(content, 'UTF8')) || sha256(convert_to(signer_name, 'UTF8'))
                  || sha256(convert_to(signer_email, 'UTF8')) || sha256(convert_to(signature, 'UTF8')));
grant execute on function waivers.record_hash_v1 to public;

-- The hash of records with record_version 2, which left out the ids, the origin of the request and the reading times.
create or replace function waivers.record_hash_v2(waiver waivers.signed) returns bytea
    language sql stable
    return sha256(
        waivers.field_hash((waiver).content) || waivers.field_hash((waiver).signer_name)
        || waivers.field_hash((waiver).signer_email) || waivers.field_hash((waiver).signature)
        || waivers.field_hash((waiver).template_name) || waivers.field_hash((waiver).company_name)
        || waivers.field_hash((waiver).consent_version) || waivers.field_hash((waiver).consent_language)
        || waivers.field_hash((waiver).consent_text) || waivers.field_hash(waivers.utc((waiver).consented_at))
        || waivers.field_hash(waivers.utc((waiver).signed_at)) || waivers.field_hash((waiver).time_zone)
        || waivers.field_hash((waiver).strokes::text));
grant execute on function waivers.record_hash_v2 to public;

-- The hash of a field in version 2, where a missing field counts as an empty one.
create or replace function waivers.field_hash(field text) returns bytea
    language sql stable
    return sha256(convert_to(coalesce(field, ''), 'UTF8'));
grant execute on function waivers.field_hash to public;

create or replace function waivers.utc(moment timestamptz) returns text
    language sql stable
    return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
grant execute on function waivers.utc to public;
