-- Returns one hash over everything that was signed and agreed to. Each field is hashed first, so that no two different
-- records can produce the same input.
create or replace function waivers.record_hash(waiver waivers.signed) returns bytea
    language sql stable
    return case when (waiver).record_version = 1
        then waivers.record_hash_v1((waiver).content, (waiver).signer_name, (waiver).signer_email, (waiver).signature)
        else sha256(
            waivers.field_hash((waiver).content) || waivers.field_hash((waiver).signer_name)
            || waivers.field_hash((waiver).signer_email) || waivers.field_hash((waiver).signature)
            || waivers.field_hash((waiver).template_name) || waivers.field_hash((waiver).company_name)
            || waivers.field_hash((waiver).consent_version) || waivers.field_hash((waiver).consent_language)
            || waivers.field_hash((waiver).consent_text) || waivers.field_hash(waivers.utc((waiver).consented_at))
            || waivers.field_hash(waivers.utc((waiver).signed_at)) || waivers.field_hash((waiver).time_zone)
            || waivers.field_hash((waiver).strokes::text)) end;

-- The hash of records with record_version 1, which had fewer fields.
create or replace function waivers.record_hash_v1(content text, signer_name text, signer_email text, signature text)
    returns bytea
    language sql immutable
    return sha256(sha256(convert_to(content, 'UTF8')) || sha256(convert_to(signer_name, 'UTF8'))
                  || sha256(convert_to(signer_email, 'UTF8')) || sha256(convert_to(signature, 'UTF8')));

create or replace function waivers.field_hash(field text) returns bytea
    language sql stable
    return sha256(convert_to(coalesce(field, ''), 'UTF8'));

create or replace function waivers.utc(moment timestamptz) returns text
    language sql stable
    return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
