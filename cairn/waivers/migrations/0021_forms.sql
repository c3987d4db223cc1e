-- The form of a template: its questions, and whom one signature covers. cairn/waivers/form.schema.json describes it. Null means
-- that the template asks nothing. A session keeps the form with which it was opened.
alter table public.waiver_templates         add column form jsonb;
alter table public.waiver_template_versions add column form jsonb;
alter table waivers.sessions                add column form jsonb;
grant insert (form), update (form) on public.waiver_templates to authenticated;

-- What was signed together with the form. Since record version 4, the hash of the record covers both, the form and the
-- participants.
alter table waivers.signed
    add column initials jsonb,
    add column guardian jsonb,
    -- How much answers, participants and initials were sent with the signature. The storage quota counts it.
    add column form_bytes int,
    -- Earlier versions do not cover these columns.
    add constraint only_forms_have_initials check (record_version >= 4 or (initials is null and guardian is null));

-- The people of a signed waiver with a form. A waiver without one has only its signer, who is not stored here.
create table waivers.participants (
    id               uuid primary key default gen_random_uuid(),
    -- Deferred, because the hash of the waiver covers its participants, so they are inserted first.
    waiver_id        uuid not null references waivers.signed deferrable initially deferred,
    company_id       uuid references public.companies,
    -- The signer has number 0. The minors follow in the order in which they were entered.
    number           int not null check (number between 0 and 30),
    -- A guardian may sign for minors without taking part.
    takes_part       boolean not null,
    name             text not null check (length(name) between 1 and 400),
    birth_date       date,
    kind             text not null check (kind in ('adult', 'minor')),
    answers          jsonb not null,
    flags            jsonb not null,
    signature        text,
    -- The hash of the sensitive answers, which can be deleted earlier than the record.
    sensitive_sha256 bytea,
    unique (waiver_id, number)
);
create index participants_company_idx on waivers.participants (company_id, waiver_id);
create index participants_by_name_idx on waivers.participants (company_id, (waivers.name_key(name) collate "C"), id);

-- The answers to sensitive questions, for example about health. The salt keeps anyone from guessing deleted answers.
create table waivers.sensitive_answers (
    participant_id uuid primary key references waivers.participants,
    company_id     uuid references public.companies,
    answers        jsonb not null,
    flags          jsonb not null,
    salt           bytea not null
);
create index sensitive_answers_company_idx on waivers.sensitive_answers (company_id);

alter table waivers.participants      enable row level security;
alter table waivers.sensitive_answers enable row level security;

grant select on waivers.participants, waivers.sensitive_answers to authenticated, service_role;
