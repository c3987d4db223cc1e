-- A person asks a company to erase the waivers that they have signed.
create table waivers.erasure_requests (
    id           uuid primary key default gen_random_uuid(),
    company_id   uuid not null references public.companies,
    -- The person sees the answer in their account. Null after the account was deleted.
    user_id      uuid references auth.users on delete set null,
    -- '(erased)' after the request was granted.
    email        text not null check (length(email) <= 320),
    note         text not null default '' check (length(note) <= 1000),
    status       text not null default 'open' check (status in ('open', 'granted', 'refused')),
    requested_at timestamptz not null default now(),
    answer       text,
    answered_at  timestamptz,
    constraint answers_are_whole check ((status = 'open') = (answered_at is null) and (status = 'open') = (answer is null))
);
create unique index erasure_requests_open_idx on waivers.erasure_requests (company_id, email) where status = 'open';
create index erasure_requests_company_idx on waivers.erasure_requests (company_id, requested_at desc);
create index erasure_requests_user_idx on waivers.erasure_requests (user_id, requested_at desc);

alter table waivers.erasure_requests enable row level security;
grant select on waivers.erasure_requests to authenticated, service_role;
