-- Where a company wants to be told of each newly signed waiver, and what became of telling it. The signing secret is
-- written once, sealed by the server, and read by the worker alone.

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
    -- Still signed with as well, so that whoever renews has a day to change over.
    sealed_previous text,
    previous_until  timestamptz,
    paused          boolean not null default false,
    -- Why the service paused it; empty when the company did.
    paused_because  text check (paused_because in ('failing', 'gone')),
    -- Since when nothing arrives, and why; empty again with the first that does.
    failing_since   timestamptz,
    last_error      text,
    created_at      timestamptz not null default now(),
    -- A hook of Zapier's cannot check a signature: its address is the secret.
    constraint webhooks_are_signed check (kind = 'zapier' or sealed_secret is not null)
);
create index endpoints_company_idx on integrations.endpoints (company_id, created_at, id);
-- The same address twice would be told everything twice.
create unique index endpoints_once_idx on integrations.endpoints (company_id, md5(url));

alter table integrations.endpoints enable row level security;
create policy "company reads its own endpoints" on integrations.endpoints
    for select to authenticated using (company_id = (select accounts.my_company()));
create policy "company names and pauses its own endpoints" on integrations.endpoints
    for update to authenticated using (company_id = (select accounts.my_company()));
create policy "company removes its own endpoints" on integrations.endpoints
    for delete to authenticated using (company_id = (select accounts.my_company()));
grant select (id, company_id, kind, name, url, secret_made_at, previous_until, paused, paused_because, failing_since,
              last_error, created_at), update (name, paused), delete
    on integrations.endpoints to authenticated;
grant select, insert, update, delete on integrations.endpoints to service_role;

create table integrations.deliveries (
    id           uuid primary key default gen_random_uuid(),
    endpoint_id  uuid not null references integrations.endpoints on delete cascade,
    company_id   uuid not null references public.companies,
    -- Its endpoint's, which never changes: each page lists its own.
    kind         text not null,
    -- The same however often it is tried, and whoever is told.
    event_id     uuid not null,
    event        text not null check (event in ('waiver.signed', 'webhook.test')),
    waiver_id    uuid,
    session_id   uuid,
    status       text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
    attempts     int not null default 0,
    retries_left int not null check (retries_left >= 0),
    -- Empty while it waits for its endpoint to be resumed, and once it is over.
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

alter table integrations.deliveries enable row level security;
create policy "company reads its own deliveries" on integrations.deliveries
    for select to authenticated using (company_id = (select accounts.my_company()));
grant select on integrations.deliveries to authenticated;
grant select, insert, update, delete on integrations.deliveries to service_role;

-- What waits for a paused endpoint has no next try, and gets one when the endpoint is resumed.
create function integrations.pause_or_resume() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if not new.paused then
        new.paused_because := null;
        new.failing_since := null;
        new.last_error := null;
    end if;
    update integrations.deliveries set next_try_at = case when not new.paused then now() end
     where endpoint_id = new.id and status = 'waiting';
    return new;
end
$$;
revoke execute on function integrations.pause_or_resume() from public;
create trigger pause_or_resume before update of paused on integrations.endpoints
    for each row when (new.paused <> old.paused) execute function integrations.pause_or_resume();

-- All of it but the secrets.
create view public.webhook_endpoints with (security_invoker = true) as
    select id, company_id, kind, name, url, secret_made_at, previous_until, paused, paused_because, failing_since,
           last_error, created_at
      from integrations.endpoints;
grant select, update (name, paused), delete on public.webhook_endpoints to authenticated;
grant select on public.webhook_endpoints to service_role;

create view public.webhook_deliveries with (security_invoker = true) as
    select d.id, d.company_id, d.endpoint_id, d.kind,
           (select e.name from integrations.endpoints e where e.id = d.endpoint_id) as endpoint_name,
           d.event_id, d.event, d.waiver_id, d.session_id, d.status, d.attempts, d.next_try_at, d.answer, d.error,
           d.created_at, d.tried_at
      from integrations.deliveries d;
grant select on public.webhook_deliveries to authenticated, service_role;
