-- Addresses that get no more emails, because an earlier one came back or was reported as spam.
create table messaging.suppressions (
    id         uuid primary key default gen_random_uuid(),
    -- company: the emails of one company. sign_in: links and codes for signing in. service: all other emails of no company.
    -- One scope never stops the emails of another, so no company can stop the emails of another company.
    scope      text not null check (scope in ('company', 'sign_in', 'service')),
    company_id uuid references public.companies,
    address    text not null check (address = lower(address) and length(address) <= 320),
    reason     text not null check (reason in ('bounce', 'complaint')),
    -- What the mail server or the provider said.
    detail     text not null default '' check (length(detail) <= 500),
    created_at timestamptz not null default now(),
    constraint only_companies_have_a_company check ((scope = 'company') = (company_id is not null)),
    constraint suppressions_are_unique unique nulls not distinct (address, scope, company_id)
);
create index suppressions_company_idx on messaging.suppressions (company_id, created_at desc);
alter table messaging.suppressions enable row level security;
grant select (company_id, address, reason, detail, created_at) on messaging.suppressions to authenticated;
grant select, insert, update on messaging.suppressions to service_role;

-- The key with which the provider of a company signs its reports about bounces and complaints. Encrypted like the API key.
alter table messaging.configurations add column sealed_report_key text;
alter table messaging.configurations add column has_report_key boolean not null
    generated always as (sealed_report_key is not null) stored;
grant select (has_report_key) on messaging.configurations to authenticated;

-- Reports name an email by the id that its provider has given it, or by its recipient.
create index emails_message_idx on public.emails (message_id) where message_id is not null;
create index emails_recipient_idx on public.emails (lower(recipient), created_at desc);
