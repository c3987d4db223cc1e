-- Webhook endpoints of a company and the deliveries to them. The signing secret is encrypted by the server and read only
-- by the worker.

create schema integrations;
grant usage on schema integrations to authenticated, service_role;

create table integrations.endpoints (
    id              uuid primary key default gen_random_uuid(),
    company_id      uuid not null references public.companies,
    kind            text not null check (kind in ('webhook', 'zapier')),
    name            text not null check (length(name) between 1 and 80),
    url             text not null check (length(url) <= 2000 and url like 'https://%'),
    sealed_secret   text,
    secret_made_at  timestamptz not null default now(),
    -- The previous secret also signs for a day, so that the receiver has time to switch.
    sealed_previous text,
    previous_until  timestamptz,
    paused          boolean not null default false,
    -- Why the server paused it; empty if the company did.
    paused_because  text check (paused_because in ('failing', 'gone')),
    -- Since when deliveries fail, and why; cleared by the first success.
    failing_since   timestamptz,
    last_error      text,
    created_at      timestamptz not null default now(),
    -- Zapier cannot verify a signature: the URL of its hook is the secret.
    constraint webhooks_are_signed check (kind = 'zapier' or sealed_secret is not null)
);
create index endpoints_company_idx on integrations.endpoints (company_id, created_at, id);
-- A URL connected twice would receive each event twice.
create unique index endpoints_once_idx on integrations.endpoints (company_id, md5(url));

create table integrations.deliveries (
    id           uuid primary key default gen_random_uuid(),
    endpoint_id  uuid not null references integrations.endpoints on delete cascade,
    company_id   uuid not null references public.companies,
    -- The kind of its endpoint, which never changes, because each page lists one kind.
    kind         text not null,
    -- The same in every attempt and for every endpoint, so that receivers can deduplicate.
    event_id     uuid not null,
    event        text not null check (event in ('waiver.signed', 'webhook.test')),
    waiver_id    uuid,
    session_id   uuid,
    status       text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
    attempts     int not null default 0,
    retries_left int not null check (retries_left >= 0),
    -- Null while the endpoint is paused, and after the last attempt.
    next_try_at  timestamptz default now(),
    answer       int,
    error        text,
    created_at   timestamptz not null default now(),
    tried_at     timestamptz,
    unique (endpoint_id, event_id)
);
create index deliveries_due_idx on integrations.deliveries (next_try_at) where status = 'waiting';
create index deliveries_newest_idx on integrations.deliveries (company_id, kind, created_at desc, id desc);
create index deliveries_old_idx on integrations.deliveries (created_at);

alter table integrations.endpoints  enable row level security;
alter table integrations.deliveries enable row level security;

grant select (id, company_id, kind, name, url, secret_made_at, previous_until, paused, paused_because, failing_since,
              last_error, created_at), update (name, paused), delete
    on integrations.endpoints to authenticated;
grant select, insert, update, delete on integrations.endpoints to service_role;
grant select on integrations.deliveries to authenticated;
grant select, insert, update, delete on integrations.deliveries to service_role;
