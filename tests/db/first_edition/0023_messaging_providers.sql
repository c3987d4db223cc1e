-- Through whom a company's mail goes. Its key is written once, sealed by the server, and read by the worker alone.

create schema messaging;
grant usage on schema messaging to authenticated, service_role;

create table messaging.configurations (
    company_id      uuid primary key references public.companies,
    provider        text not null default 'service' check (provider in ('service', 'mock', 'sendgrid', 'resend', 'custom')),
    sealed_key      text,
    has_api_key     boolean not null generated always as (sealed_key is not null) stored,
    custom_endpoint text check (length(custom_endpoint) <= 2000),
    -- An address the company has proven to its provider; empty means the server's own.
    sender_email    text check (length(sender_email) <= 320),
    -- Since when nothing goes out, and why; empty again with the first mail that does.
    failing_since   timestamptz,
    last_error      text,
    updated_at      timestamptz not null default now(),
    constraint providers_have_their_key check (provider not in ('sendgrid', 'resend') or sealed_key is not null),
    constraint custom_has_its_endpoint check (provider <> 'custom' or custom_endpoint is not null)
);
alter table messaging.configurations enable row level security;
create policy "company reads its own email configuration" on messaging.configurations
    for select to authenticated using (company_id = (select accounts.my_company()));
grant select (company_id, provider, has_api_key, custom_endpoint, sender_email, failing_since, last_error, updated_at)
    on messaging.configurations to authenticated;
grant select, insert, update on messaging.configurations to service_role;

-- All of it but the key.
create view public.email_configurations with (security_invoker = true) as
    select company_id, provider, has_api_key, custom_endpoint, sender_email, failing_since, last_error, updated_at
      from messaging.configurations;
grant select on public.email_configurations to authenticated, service_role;

alter table public.emails
    add column kind            text not null default 'letter' check (kind in ('letter', 'reminder', 'test')),
    -- Who was asked to carry it, at its last try.
    add column provider        text,
    add column unsubscribe_url text check (length(unsubscribe_url) <= 2000),
    -- Later than this nobody wants it.
    add column not_after       timestamptz,
    -- Given to the provider, whose answer is not known yet: what may go out once only is not given again.
    add column handed_at       timestamptz,
    drop constraint emails_status_check,
    -- cancelled: it was not needed any more, and went to nobody.
    add constraint emails_status_check check (status in ('sending', 'delivered', 'kept', 'failed', 'cancelled'));

-- With the id, so that mails of one moment have an order too and no page of the history loses one.
drop index public.emails_newest_idx;
create index emails_newest_idx on public.emails (company_id, created_at desc, id desc);
