-- Templates, sessions (a sending that awaits a signature), signed waivers and the evidence about them.
--
-- Sessions and signed waivers are stored in schema `waivers`, where users cannot write. The REST service offers them as
-- `waiver_sessions` and `signed_waivers`: views that read with the caller's privileges, and whose triggers do the writing.
-- Opening a session and signing are therefore one insert each, which succeeds or fails as a whole for every client.

create schema waivers;
grant usage on schema waivers to anon, authenticated, service_role;

-- Three sample templates have no company and are visible to every company.
create table public.waiver_templates (
    -- At most 30 characters, so that a template id is never mistaken for a session id.
    id          text primary key default 'tpl-' || left(replace(gen_random_uuid()::text, '-', ''), 24)
                check (length(id) <= 30 or company_id is null),
    company_id  uuid references public.companies default accounts.my_company(),
    name        text not null check (length(name) <= 200),
    description text not null default '' check (length(description) <= 2000),
    content     text not null default '' check (length(content) <= 200000),
    version     int not null default 1,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now(),
    archived_at timestamptz,
    constraint samples_are_not_archived check (archived_at is null or company_id is not null)
);
create index waiver_templates_company_idx on public.waiver_templates (company_id, created_at desc);

create table public.waiver_template_versions (
    template_id   text not null references public.waiver_templates,
    version       int not null,
    company_id    uuid references public.companies,
    name          text not null,
    description   text not null,
    content       text not null,
    saved_at      timestamptz not null default now(),
    -- The name is copied, so that the history stays readable after the person has left.
    saved_by      uuid,
    saved_by_name text,
    primary key (template_id, version)
);

create table waivers.sessions (
    id                   uuid primary key default gen_random_uuid(),
    company_id           uuid references public.companies,
    template_id          text not null,
    template_name        text not null,
    template_description text not null default '',
    template_content     text not null check (length(template_content) <= 200000),
    recipient_name       text check (length(recipient_name) <= 400),
    recipient_email      text check (length(recipient_email) <= 320),
    status               text not null check (status in ('pending', 'signed', 'template_default')),
    created_at           timestamptz not null default now(),
    expires_at           timestamptz,
    first_waiver_id      uuid,
    template_version     int,
    constraint signed_sessions_have_a_waiver check ((status = 'signed') = (first_waiver_id is not null))
);

create table waivers.signed (
    id               uuid primary key default gen_random_uuid(),
    session_id       uuid not null references waivers.sessions,
    company_id       uuid references public.companies,
    template_id      text not null,
    template_name    text not null,
    signer_name      text not null check (length(signer_name) between 1 and 400),
    signer_email     text not null check (length(signer_email) between 3 and 320),
    signature        text not null,
    content          text not null,
    signed_at        timestamptz not null,
    ip               text,
    user_agent       text,
    record_sha256    bytea not null,
    template_version int,
    company_name     text,
    consent_version  text,
    consent_language text,
    consent_text     text,
    consented_at     timestamptz,
    time_zone        text check (length(time_zone) <= 64),
    strokes          jsonb check (length(strokes::text) <= 1000000),
    first_viewed_at  timestamptz,
    last_viewed_at   timestamptz,
    scroll_depth     int check (scroll_depth between 0 and 100),
    -- Which fields `record_sha256` covers: see sql/record_hash.sql.
    record_version   int not null default 1,
    document_path    text,
    document_sha256  text check (document_sha256 ~ '^[0-9a-f]{64}$'),
    document_at      timestamptz,
    constraint documents_are_whole
        check ((document_path is null) = (document_sha256 is null) and (document_path is null) = (document_at is null)),
    constraint consents_are_whole
        check ((consent_text is null) = (consent_version is null) and (consent_text is null) = (consent_language is null)
               and (consent_text is null) = (consented_at is null))
);
-- PNG is already compressed: compressing it again would only cost time.
alter table waivers.signed alter column signature set storage external;
alter table waivers.sessions add foreign key (first_waiver_id) references waivers.signed deferrable initially deferred;

-- Append-only; each entry contains the hash of the previous one of its session.
create table waivers.audit_events (
    id         bigint generated always as identity primary key,
    session_id uuid not null references waivers.sessions,
    company_id uuid references public.companies,
    name       text not null,
    details    jsonb not null,
    at         timestamptz not null,
    previous   bytea,
    hash       bytea not null
);
create index audit_events_session_idx on waivers.audit_events (session_id, id);

-- The text that people agree to when they sign electronically. The page names version and language; the text is copied
-- from here.
create table public.consent_texts (
    version  text not null,
    language text not null,
    text     text not null,
    primary key (version, language)
);

create table public.sent_waivers (
    id               uuid primary key default gen_random_uuid(),
    company_id       uuid not null references public.companies default accounts.my_company(),
    session_id       uuid not null references waivers.sessions,
    template_id      text not null,
    template_name    text not null,
    template_content text not null,
    recipient_name   text not null,
    recipient_email  text not null,
    status           text not null default 'pending' check (status in ('pending', 'sent_pdf')),
    sent_as_pdf      boolean not null default false,
    email_status     text not null default 'sending' check (email_status in ('sending', 'delivered', 'kept', 'failed')),
    email_message_id text,
    email_error      text,
    sent_at          timestamptz not null default now(),
    -- Stored here and not in the session, which anyone with the link can read.
    recipient_phone  text check (recipient_phone ~ '^\+[1-9][0-9]{4,14}$'),
    text_status      text check (text_status in ('sending', 'delivered', 'failed')),
    text_error       text
);
create index sent_waivers_newest_idx on public.sent_waivers (company_id, sent_at desc);
create index sent_waivers_session_idx on public.sent_waivers (session_id);

-- A reminder is open until the outcome of its email is known. A session has at most one open reminder.
create table waivers.reminders (
    -- Also the id of its email, so that a retried job creates it only once.
    id           uuid primary key default gen_random_uuid(),
    session_id   uuid not null references waivers.sessions,
    company_id   uuid not null references public.companies,
    scheduled    boolean not null,
    open         boolean not null default true,
    requested_at timestamptz not null default now()
);
create index reminders_session_idx on waivers.reminders (session_id, requested_at desc);
create unique index reminders_one_open_idx on waivers.reminders (session_id) where open;

-- Recipients who want no more reminders of a company. New waivers are still sent to them.
create table waivers.reminder_refusals (
    company_id uuid not null references public.companies,
    email      text not null check (email = lower(email)),
    since      timestamptz not null default now(),
    primary key (company_id, email)
);

-- Why a document does not exist yet. The row is deleted once it does.
create table waivers.document_failures (
    waiver_id uuid primary key references waivers.signed,
    attempts  int not null default 1,
    error     text not null,
    tried_at  timestamptz not null default now()
);

-- Every certificate that ever sealed a document, so that old documents can be verified after the key has changed.
create table waivers.seal_certificates (
    fingerprint text primary key,
    pem         text not null,
    since       timestamptz not null default now()
);

-- Lists of a company.
create index sessions_newest_idx on waivers.sessions (company_id, created_at desc);
create index signed_newest_idx on waivers.signed (company_id, signed_at desc);
create index signed_session_idx on waivers.signed (session_id, signed_at desc);
create unique index sessions_one_default_idx on waivers.sessions (company_id, template_id) nulls not distinct
    where status = 'template_default';
create index signed_without_document_idx on waivers.signed (signed_at) where document_path is null;
-- The dashboard counts by status from this index alone. The included column is only there because the view mentions it;
-- without it Postgres would read every row.
create index sessions_counted_idx on waivers.sessions (company_id, status) include (first_waiver_id);

-- The directory. If few sessions are pending or expired, the first index finds them. If there are many, the second one
-- contains the expiry, so that Postgres skips the others without reading their rows.
create index sessions_expiry_idx on waivers.sessions (company_id, expires_at) where status = 'pending';
create index sessions_pending_idx on waivers.sessions (company_id, created_at desc) include (id, expires_at)
    where status = 'pending';
-- define function waivers.name_key
create index signed_by_name_idx on waivers.signed (company_id, (waivers.name_key(signer_name) collate "C"), id);
create index sessions_by_name_idx on waivers.sessions
    (company_id, (waivers.name_key(coalesce(recipient_name, 'Anonymous')) collate "C"), id) where status = 'pending';

-- Search. Signed sessions are found by their record, so that signing does not have to index the session again.
-- define function waivers.search_text
-- define function waivers.search_keys
create index sessions_search_idx on waivers.sessions using gin
    (waivers.search_keys(company_id, waivers.search_text(recipient_name, recipient_email, template_name)))
    where status = 'pending';
create index signed_search_idx on waivers.signed using gin
    (waivers.search_keys(company_id, waivers.search_text(signer_name, signer_email, template_name)));

-- Guests find the waivers sent to them and signed by them.
create index sessions_recipient_idx on waivers.sessions (recipient_email, created_at desc) where status = 'pending';
create index signed_signer_idx on waivers.signed (signer_email, signed_at desc);

alter table public.waiver_templates         enable row level security;
alter table public.waiver_template_versions enable row level security;
alter table public.consent_texts            enable row level security;
alter table public.sent_waivers             enable row level security;
alter table waivers.sessions                enable row level security;
alter table waivers.signed                  enable row level security;
alter table waivers.audit_events            enable row level security;
alter table waivers.reminders               enable row level security;
alter table waivers.reminder_refusals       enable row level security;
alter table waivers.document_failures       enable row level security;
alter table waivers.seal_certificates       enable row level security;

grant select on public.waiver_templates to anon, authenticated;
grant insert (id, company_id, name, description, content) on public.waiver_templates to authenticated;
grant update (name, description, content, archived_at) on public.waiver_templates to authenticated;
grant select, insert, update, delete on public.waiver_templates to service_role;
grant select on public.waiver_template_versions to authenticated, service_role;
grant select on public.consent_texts to anon, authenticated, service_role;
grant select on public.sent_waivers to authenticated;
grant insert (id, company_id, session_id, template_id, template_name, template_content, recipient_name, recipient_email, status, sent_as_pdf)
    on public.sent_waivers to authenticated;
grant select, insert, update on public.sent_waivers to service_role;
grant select on waivers.sessions, waivers.signed to anon, authenticated, service_role;
grant select on waivers.audit_events to authenticated, service_role;
grant select on waivers.reminders to authenticated;
grant select, update on waivers.reminders to service_role;
grant select on waivers.reminder_refusals to authenticated;
grant select, insert, delete on waivers.reminder_refusals to service_role;
grant select, insert, update, delete on waivers.document_failures to service_role;
grant select, insert on waivers.seal_certificates to service_role;

insert into public.consent_texts (version, language, text) values
('2026-11', 'en', 'I agree to read and sign this waiver electronically instead of on paper. I can have a paper copy if I ask '
 || 'for one, I get a copy of the signed record by email, and I can withdraw this agreement for the future by telling '
 || 'the company; what I have signed until then stays signed.');

insert into public.waiver_templates (id, company_id, name, description, content) values
('template-general-liability', null, 'General Liability Waiver',
 'For guided trips and activities where guests accept the ordinary risks of being outdoors.',
$$# Assumption of risk and release of liability

I, [PARTICIPANT NAME], have asked to take part in an activity run by [COMPANY NAME]. I have read this document and I understand it.

## The risks

Outdoor activities carry risks that care and skill cannot remove: uneven ground, water and weather, equipment that fails, the mistakes of other people and my own. They can lead to injury, illness, loss of property and, rarely, death. I accept these risks as mine.

## What I confirm

- I am fit to take part and have told [COMPANY NAME] about anything that might matter for my safety.
- I will follow the instructions of the guides and use the equipment as I am shown.
- I may stop at any time, and I will say so when something feels unsafe.

## Release

As far as the law allows, I release [COMPANY NAME], its owners, guides and staff from claims for loss or injury that arise from the ordinary risks of the activity. This release does not cover harm caused by gross negligence or on purpose.

## Agreement

I sign this freely. I know that I am giving up certain rights by signing, and that I may ask questions before I do.$$),
('template-photography-release', null, 'Photography Release',
 'Permission to use photographs and video taken during the activity.',
$$# Photography and video release

During the activity [COMPANY NAME] may take photographs and video in which I can be recognised.

I, [PARTICIPANT NAME], agree that [COMPANY NAME] may use these recordings:

- on its website and in its social media,
- in printed material and advertisements for its own services.

## What I can expect

- My name is not published beside a picture unless I agree to it separately.
- Recordings are not sold to others.
- I may withdraw this permission for the future at any time by writing to [COMPANY NAME]; recordings already printed may be used up.

I receive no payment for this permission.$$),
('template-medical-emergency-authorization', null, 'Medical Emergency Authorization',
 'Lets guides arrange medical help when a guest cannot speak for themselves.',
$$# Medical emergency authorization

If I am hurt or ill during the activity and cannot decide for myself, I, [PARTICIPANT NAME], authorize [COMPANY NAME] to:

- give first aid within the training of its staff,
- call emergency services and have me taken to a doctor or hospital,
- tell medical staff what they need to know about what happened.

## Costs

I understand that [COMPANY NAME] does not pay for rescue, transport or treatment, and that these costs are mine or my insurer's.

## What guides should know

I have told [COMPANY NAME] about allergies, medicines and conditions that matter in an emergency, and I will tell it when something changes.$$);

insert into public.waiver_template_versions (template_id, version, company_id, name, description, content, saved_at)
select id, version, company_id, name, description, content, updated_at from public.waiver_templates;
