-- Messages to the operator: contact form, demo requests and support. Only the server (service_role) has access.

create schema inquiries;
grant usage on schema inquiries to service_role;

create table inquiries.messages (
    id         uuid primary key default gen_random_uuid(),
    kind       text not null check (kind in ('contact', 'demo', 'support')),
    name       text not null check (length(name) between 1 and 200),
    email      text not null check (length(email) between 3 and 320),
    company    text not null default '' check (length(company) <= 200),
    phone      text not null default '' check (length(phone) <= 40),
    message    text not null default '' check (length(message) <= 5000),
    -- Set if the sender was signed in.
    user_id    uuid references auth.users on delete set null,
    company_id uuid references public.companies on delete set null,
    -- The sender's IP network, so that one network cannot fill the table. Cleared after a day.
    network    text check (length(network) <= 64),
    created_at timestamptz not null default now(),
    subject    text not null default '' check (length(subject) <= 200),
    -- The waiver that a support request is about: a full id or its first eight characters.
    waiver     text not null default '' check (waiver ~ '^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8})?$')
);
create index messages_newest_idx on inquiries.messages (created_at desc);
create index messages_network_idx on inquiries.messages (network, created_at desc) where network is not null;
create index messages_user_idx on inquiries.messages (user_id);
create index messages_company_idx on inquiries.messages (company_id);

alter table inquiries.messages enable row level security;
grant select, insert, update on inquiries.messages to service_role;
