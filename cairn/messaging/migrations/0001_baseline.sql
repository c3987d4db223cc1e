-- Emails, text messages and the notifications of the dashboard. This package does not know what a waiver is.

create schema messaging;
grant usage on schema messaging to authenticated, service_role;

create table public.emails (
    id                uuid primary key default gen_random_uuid(),
    company_id        uuid references public.companies,
    session_id        uuid,
    recipient         text not null check (length(recipient) between 3 and 320),
    subject           text not null check (length(subject) between 1 and 998 and subject !~ '[\r\n]'),
    body              text not null check (length(body) <= 100000),
    -- The label of the button that contains the link in the body.
    action            text check (length(action) <= 60),
    sender_name       text check (length(sender_name) <= 200),
    reply_to          text check (length(reply_to) <= 320),
    attachment_type   text not null default 'link' check (attachment_type in ('link', 'pdf')),
    -- kept: no mail server is configured, so the email stays in the local mailbox and was not delivered.
    -- cancelled: it was no longer needed and was not delivered.
    status            text not null default 'sending'
                      check (status in ('sending', 'delivered', 'kept', 'failed', 'cancelled')),
    attempts          int not null default 0,
    error             text,
    message_id        text,
    created_at        timestamptz not null default now(),
    sent_at           timestamptz,
    -- The body contains a key and is deleted once the email was delivered.
    secret            boolean not null default false,
    -- An attachment is fetched from its source when the email is sent.
    attachment_source text,
    attachment_id     uuid,
    -- A patient email is retried until it is delivered.
    patient           boolean not null default false,
    tried_at          timestamptz,
    kind              text not null default 'message' check (kind in ('message', 'reminder', 'test')),
    -- The provider of the last attempt.
    provider          text,
    unsubscribe_url   text check (length(unsubscribe_url) <= 2000),
    -- The email is not sent after this time.
    not_after         timestamptz,
    -- Passed to the provider, whose response is not known yet. An email that must not be sent twice is not passed again.
    handed_at         timestamptz,
    constraint attachments_are_whole check ((attachment_source is null) = (attachment_id is null))
);
comment on column public.emails.session_id is 'The waiver session that the email is about. This package only stores it.';
-- With the id, so that emails of the same moment are ordered and no page of the history skips one.
create index emails_newest_idx on public.emails (company_id, created_at desc, id desc);
create index emails_session_idx on public.emails (session_id);
create index emails_patient_idx on public.emails (created_at) where patient and status = 'sending';
create index emails_attachment_idx on public.emails (attachment_id, created_at desc) where attachment_id is not null;

create table public.text_messages (
    id         uuid primary key default gen_random_uuid(),
    recipient  text not null check (recipient ~ '^[1-9][0-9]{4,14}$'),
    body       text not null check (length(body) <= 1600),
    channel    text not null default 'sms' check (channel in ('sms', 'whatsapp')),
    status     text not null default 'sending' check (status in ('sending', 'delivered', 'failed')),
    attempts   int not null default 0,
    error      text,
    message_id text,
    created_at timestamptz not null default now(),
    sent_at    timestamptz,
    company_id uuid references public.companies,
    session_id uuid,
    kind       text not null default 'code' check (kind in ('code', 'message', 'reminder')),
    -- Passed to the gateway, whose response is not known yet: a message to a guest is not passed a second time.
    handed_at  timestamptz,
    -- Sign-in codes belong to no company, so no company can read them.
    constraint only_codes_are_nobodys check ((kind = 'code') = (company_id is null))
);
create index text_messages_company_idx on public.text_messages (company_id, created_at desc);
create index text_messages_session_idx on public.text_messages (session_id, created_at desc);
create index text_messages_newest_idx on public.text_messages (created_at desc);
create index text_messages_recipient_idx on public.text_messages (recipient, created_at desc);

create table public.notifications (
    id         uuid primary key default gen_random_uuid(),
    company_id uuid not null references public.companies,
    title      text not null,
    message    text not null,
    read       boolean not null default false,
    data       jsonb not null default '{}',
    -- The id of its cause, so that a retried job does not notify twice.
    about      uuid not null,
    created_at timestamptz not null default now(),
    unique (company_id, about)
);
create index notifications_newest_idx on public.notifications (company_id, created_at desc);

-- The email provider of a company. Its key is encrypted by the server and read only by the worker.
create table messaging.configurations (
    company_id      uuid primary key references public.companies,
    provider        text not null default 'service' check (provider in ('service', 'mock', 'sendgrid', 'resend', 'custom')),
    sealed_key      text,
    has_api_key     boolean not null generated always as (sealed_key is not null) stored,
    custom_endpoint text check (length(custom_endpoint) <= 2000),
    -- An address that the company has verified with its provider; if empty, the server's address is used.
    sender_email    text check (length(sender_email) <= 320),
    -- Since when sending fails, and why; cleared by the first delivered email.
    failing_since   timestamptz,
    last_error      text,
    updated_at      timestamptz not null default now(),
    constraint providers_have_their_key check (provider not in ('sendgrid', 'resend') or sealed_key is not null),
    constraint custom_has_its_endpoint check (provider <> 'custom' or custom_endpoint is not null)
);

alter table public.emails            enable row level security;
alter table public.text_messages     enable row level security;
alter table public.notifications     enable row level security;
alter table messaging.configurations enable row level security;

grant select on public.emails to authenticated;
grant select, insert, update on public.emails, public.text_messages to service_role;
grant select on public.text_messages to authenticated;
grant select, delete on public.notifications to authenticated;
grant update (read) on public.notifications to authenticated;
grant select, insert, update, delete on public.notifications to service_role;
grant select (company_id, provider, has_api_key, custom_endpoint, sender_email, failing_since, last_error, updated_at)
    on messaging.configurations to authenticated;
grant select, insert, update on messaging.configurations to service_role;
