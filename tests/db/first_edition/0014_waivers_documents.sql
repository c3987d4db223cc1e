-- The evidence around a signature, and the sealed document made from it: rendered once, stored once, never changed.

-- What people agree to when they sign electronically. The page names version and language; the words are ours to keep.
create table public.consent_texts (
    version  text not null,
    language text not null,
    text     text not null,
    primary key (version, language)
);
alter table public.consent_texts enable row level security;
create policy "everyone reads what they are asked to agree to" on public.consent_texts
    for select to anon, authenticated using (true);
grant select on public.consent_texts to anon, authenticated, service_role;

insert into public.consent_texts (version, language, text) values
('2026-11', 'en', 'I agree to read and sign this waiver electronically instead of on paper. I can have a paper copy if I ask '
 || 'for one, I get a copy of the signed record by email, and I can withdraw this agreement for the future by telling '
 || 'the company; what I have signed until then stays signed.');

alter table waivers.sessions add column template_version int;

-- Only when the session shows the template's own words; a text written for one sending has no version.
create function waivers.note_template_version() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    new.template_version := (select t.version from public.waiver_templates t
                              where t.id = new.template_id and t.content = new.template_content);
    return new;
end
$$;
revoke execute on function waivers.note_template_version() from public;
create trigger note_template_version before insert on waivers.sessions
    for each row execute function waivers.note_template_version();

alter table waivers.signed
    add column template_version int,
    add column company_name     text,
    add column consent_version  text,
    add column consent_language text,
    add column consent_text     text,
    add column consented_at     timestamptz,
    add column time_zone        text check (length(time_zone) <= 64),
    add column strokes          jsonb check (length(strokes::text) <= 1000000),
    add column first_viewed_at  timestamptz,
    add column last_viewed_at   timestamptz,
    add column scroll_depth     int check (scroll_depth between 0 and 100),
    -- Which fields `record_sha256` covers: 1 those of migration 0009, 2 those of `waivers.record_hash` below.
    add column record_version   int not null default 1,
    add column document_path    text,
    add column document_sha256  text check (document_sha256 ~ '^[0-9a-f]{64}$'),
    add column document_at      timestamptz,
    add constraint documents_are_whole
        check ((document_path is null) = (document_sha256 is null) and (document_path is null) = (document_at is null)),
    add constraint consents_are_whole
        check ((consent_text is null) = (consent_version is null) and (consent_text is null) = (consent_language is null)
               and (consent_text is null) = (consented_at is null));
create index signed_without_document_idx on waivers.signed (signed_at) where document_path is null;

-- Nobody was ever granted an update; this also stands in the way of our own mistakes.
create function waivers.keep_signed() returns trigger
    language plpgsql as $$
declare
    apart_from_the_document waivers.signed := new;
begin
    apart_from_the_document.document_path := old.document_path;
    apart_from_the_document.document_sha256 := old.document_sha256;
    apart_from_the_document.document_at := old.document_at;
    if old.document_path is not null or apart_from_the_document is distinct from old then
        raise exception 'A signed waiver is never changed.' using errcode = '42501';
    end if;
    return new;
end
$$;
create trigger keep_signed before update on waivers.signed
    for each row execute function waivers.keep_signed();

-- `strokes` is taken in with the signature and read back only in the evidence pack: lists need not carry it.
create or replace view public.signed_waivers with (security_invoker = true) as
    select id, template_id, template_name, signer_name, signer_email, signature, content, session_id, signed_at, company_id,
           consent_version, consent_language, consented_at, time_zone, null::jsonb as strokes,
           first_viewed_at, last_viewed_at, scroll_depth, template_version, encode(record_sha256, 'hex') as record_sha256,
           document_path, document_sha256, document_at,
           case when document_path is null then 'preparing' else 'ready' end as document_status
      from waivers.signed;

create function waivers.utc(moment timestamptz) returns text
    language sql immutable
    return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

create function waivers.field_hash(field text) returns bytea
    language sql immutable
    return sha256(convert_to(coalesce(field, ''), 'UTF8'));

-- One hash over everything that was signed and agreed to; each field hashed first, so none can run into the next.
create function waivers.record_hash(waiver waivers.signed) returns bytea
    language sql stable
    return case when (waiver).record_version = 1
        then waivers.record_hash((waiver).content, (waiver).signer_name, (waiver).signer_email, (waiver).signature)
        else sha256(
            waivers.field_hash((waiver).content) || waivers.field_hash((waiver).signer_name)
            || waivers.field_hash((waiver).signer_email) || waivers.field_hash((waiver).signature)
            || waivers.field_hash((waiver).template_name) || waivers.field_hash((waiver).company_name)
            || waivers.field_hash((waiver).consent_version) || waivers.field_hash((waiver).consent_language)
            || waivers.field_hash((waiver).consent_text) || waivers.field_hash(waivers.utc((waiver).consented_at))
            || waivers.field_hash(waivers.utc((waiver).signed_at)) || waivers.field_hash((waiver).time_zone)
            || waivers.field_hash((waiver).strokes::text)) end;

create or replace function waivers.sign() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    session waivers.sessions;
    stored  waivers.signed;
begin
    new.signer_name := trim(new.signer_name);
    new.signer_email := lower(trim(new.signer_email));
    if coalesce(new.signer_name, '') = '' or coalesce(new.signer_email, '') = '' or coalesce(new.signature, '') = '' then
        raise exception 'Name, email and signature are required.' using errcode = 'PT400';
    end if;
    if new.signer_email !~ '^[^@\s]+@[^@\s]+$' then
        raise exception 'This email address is not complete.' using errcode = 'PT400';
    end if;
    perform waivers.check_signature(new.signature);

    -- The lock makes simultaneous signers of one session take turns; a repeated id then finds what the first one stored.
    select * into session from waivers.sessions where id = new.session_id for update;
    if session.id is null then
        raise exception 'Could not find the waiver session.' using errcode = 'PT404';
    end if;
    select * into stored from waivers.signed where id = new.id;
    if stored.id is null then
        stored := waivers.store_signature(session, new);
    elsif stored.session_id <> session.id or stored.signature <> new.signature then
        raise exception 'This waiver id is taken.' using errcode = '23505';
    end if;

    select stored.id, stored.template_id, stored.template_name, stored.signer_name, stored.signer_email,
           stored.signature, stored.content, stored.session_id, stored.signed_at, stored.company_id,
           stored.consent_version, stored.consent_language, stored.consented_at, stored.time_zone, null::jsonb,
           stored.first_viewed_at, stored.last_viewed_at, stored.scroll_depth, stored.template_version,
           encode(stored.record_sha256, 'hex'), stored.document_path, stored.document_sha256, stored.document_at,
           case when stored.document_path is null then 'preparing' else 'ready' end
      into new;
    return new;
end
$$;

create or replace function waivers.store_signature(session waivers.sessions, asked public.signed_waivers)
    returns waivers.signed
    language plpgsql set search_path = '' as $$
declare
    moment timestamptz := clock_timestamp();
    waiver waivers.signed;
begin
    if session.status = 'template_default' then
        raise exception 'This session is the template''s own. Open a new session to sign.' using errcode = 'PT409';
    end if;
    if session.status = 'pending' and session.expires_at <= moment then
        raise exception 'This waiver has expired. Please ask for a new link.' using errcode = 'PT410';
    end if;

    waiver.id := coalesce(asked.id, gen_random_uuid());
    waiver.session_id := session.id;
    waiver.company_id := session.company_id;
    waiver.company_name := accounts.company_name(session.company_id);
    waiver.template_id := session.template_id;
    waiver.template_name := session.template_name;
    waiver.template_version := session.template_version;
    waiver.signer_name := asked.signer_name;
    waiver.signer_email := asked.signer_email;
    waiver.signature := asked.signature;
    waiver.content := waivers.fill(session.template_content, asked.signer_name, waiver.company_name);
    waiver.signed_at := moment;
    waiver.ip := nullif(current_setting('request.ip', true), '');
    waiver.user_agent := nullif(current_setting('request.user_agent', true), '');
    waiver.time_zone := asked.time_zone;
    waiver.strokes := asked.strokes;
    waiver.first_viewed_at := asked.first_viewed_at;
    waiver.last_viewed_at := asked.last_viewed_at;
    waiver.scroll_depth := asked.scroll_depth;
    if asked.consent_version is not null then
        waiver.consent_version := asked.consent_version;
        waiver.consent_language := coalesce(asked.consent_language, 'en');
        waiver.consent_text := (select c.text from public.consent_texts c
                                 where c.version = asked.consent_version and c.language = waiver.consent_language);
        -- Nobody agrees to something in the future; a device whose clock is ahead agreed now.
        waiver.consented_at := least(coalesce(asked.consented_at, moment), moment);
        if waiver.consent_text is null then
            raise exception 'There is no consent text of this version and language.' using errcode = 'PT400';
        end if;
    end if;
    waiver.record_version := 2;
    waiver.record_sha256 := waivers.record_hash(waiver);
    insert into waivers.signed select waiver.*;

    -- A second signature adds a record; the session keeps its first.
    update waivers.sessions set status = 'signed', first_waiver_id = waiver.id
     where id = session.id and status = 'pending';

    perform waivers.append_audit(session, 'waiver.signed', waivers.request_facts() || jsonb_build_object(
        'waiver_id', waiver.id, 'signer_name', waiver.signer_name, 'signer_email', waiver.signer_email,
        'record_sha256', encode(waiver.record_sha256, 'hex')));
    perform jobs.raise_event('waiver.signed', jsonb_build_object(
        'waiver_id', waiver.id, 'session_id', waiver.session_id, 'company_id', waiver.company_id));
    return waiver;
end
$$;

-- Besides what 0009 asks: the picture says how large it is and is not larger than a signature can be, because
-- somebody has to unpack it later.
create or replace function waivers.check_signature(signature text) returns void
    language plpgsql immutable as $$
declare
    png bytea;
begin
    if length(signature) > 700000 then
        raise exception 'The signature is too large.' using errcode = 'PT400';
    end if;
    if not starts_with(signature, 'data:image/png;base64,') then
        raise exception 'The signature must be a PNG image.' using errcode = 'PT400';
    end if;
    begin
        png := decode(substr(signature, 23), 'base64');
    exception when others then
        raise exception 'The signature must be a PNG image.' using errcode = 'PT400';
    end;
    if substr(png, 1, 8) <> '\x89504e470d0a1a0a' or length(png) < 45 or substr(png, 13, 4) <> convert_to('IHDR', 'UTF8') then
        raise exception 'The signature must be a PNG image.' using errcode = 'PT400';
    end if;
    -- Sixteen bits of each side must be zero, and no side longer than 4,096 dots.
    if substr(png, 17, 2) <> '\x0000' or substr(png, 19, 2) > '\x1000'
       or substr(png, 21, 2) <> '\x0000' or substr(png, 23, 2) > '\x1000' then
        raise exception 'The signature is too large.' using errcode = 'PT400';
    end if;
end
$$;

-- Someone opened the waiver, and how far down they have been. Said by the page, kept as evidence, never a condition.
create function public.note_waiver_view(session_id uuid, scroll_depth int default null) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    session waivers.sessions;
    seen    int;
    latest  timestamptz;
begin
    select * into session from waivers.sessions s where s.id = session_id for update;
    if session.id is null or session.status = 'template_default' then
        return;
    end if;
    select count(*), max(e.at) into seen, latest
      from waivers.audit_events e where e.session_id = session.id and e.name = 'session.viewed';
    -- Whoever holds the link may repeat this as often as they like; the history stays readable.
    if seen >= 50 or latest > clock_timestamp() - interval '5 seconds' then
        return;
    end if;
    perform waivers.append_audit(session, 'session.viewed', waivers.request_facts() || jsonb_strip_nulls(
        jsonb_build_object('scroll_depth', least(greatest(scroll_depth, 0), 100))));
end
$$;
revoke execute on function public.note_waiver_view from public;
grant execute on function public.note_waiver_view to anon, authenticated, service_role;

-- The only way a document comes onto its record, and only once. True for the call that brought it.
create function waivers.store_document(waiver_id uuid, path text, sha256 text, certificate text) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    session waivers.sessions;
begin
    select s.* into session
      from waivers.sessions s join waivers.signed w on w.session_id = s.id where w.id = waiver_id for update of s;
    update waivers.signed w set document_path = path, document_sha256 = sha256, document_at = clock_timestamp()
     where w.id = waiver_id and w.document_path is null;
    if not found then
        return false;
    end if;
    perform waivers.append_audit(session, 'document.sealed', jsonb_build_object(
        'waiver_id', waiver_id, 'document_sha256', sha256, 'certificate_sha256', certificate));
    return true;
end
$$;
revoke execute on function waivers.store_document from public;
grant execute on function waivers.store_document to service_role;

-- An open dashboard learns that the document is there.
create trigger note_document after update of document_path on waivers.signed
    for each row execute function realtime.note_change('public', 'signed_waivers', 'key');

-- Why a document is not there yet. A row stays until the document is.
create table waivers.document_failures (
    waiver_id uuid primary key references waivers.signed,
    attempts  int not null default 1,
    error     text not null,
    tried_at  timestamptz not null default now()
);
alter table waivers.document_failures enable row level security;
grant select, insert, update, delete on waivers.document_failures to service_role;

-- Every certificate a document was ever sealed with, so that it still verifies after the key was changed.
create table waivers.seal_certificates (
    fingerprint text primary key,
    pem         text not null,
    since       timestamptz not null default now()
);
alter table waivers.seal_certificates enable row level security;
grant select, insert on waivers.seal_certificates to service_role;

-- Where the evidence does not agree with itself: nothing while everything is as it was written.
create function waivers.broken_evidence(only_session uuid default null)
    returns table (session_id uuid, waiver_id uuid, event_id bigint, reason text)
    language sql stable set search_path = '' as $$
    select e.session_id, (e.facts ->> 'waiver_id')::uuid, e.id,
           case when e.previous is distinct from e.hash_before then 'the event before it is missing or was changed'
                else 'the event was changed' end
      from (select a.*, lag(a.hash) over (partition by a.session_id order by a.id) as hash_before
              from waivers.audit_events a
             where only_session is null or a.session_id = only_session) e
     where e.previous is distinct from e.hash_before
        or e.hash <> waivers.audit_hash(e.previous, e.session_id, e.name, e.facts, e.at)
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
                          and a.facts ->> 'waiver_id' = w.id::text
                          and a.facts ->> 'record_sha256' = encode(w.record_sha256, 'hex'))
$$;
revoke execute on function waivers.broken_evidence from public;
grant execute on function waivers.broken_evidence to service_role;

-- What hangs on a mail is fetched when it is sent, from whoever keeps it; a patient mail is tried until it goes out.
alter table public.emails
    add column attachment_source text,
    add column attachment_id     uuid,
    add column patient           boolean not null default false,
    add column tried_at          timestamptz,
    add constraint attachments_are_whole check ((attachment_source is null) = (attachment_id is null));
create index emails_patient_idx on public.emails (created_at) where patient and status = 'sending';
