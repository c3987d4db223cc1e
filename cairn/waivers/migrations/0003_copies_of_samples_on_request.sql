-- A visitor opened this sample template. Its signer gets the copy by email only on request, because the address that a visitor
-- types may belong to someone else.
alter table waivers.sessions add column copy_on_request boolean not null default false;

create table waivers.copy_requests (
    waiver_id    uuid primary key references waivers.signed,
    requested_at timestamptz not null default now()
);
alter table waivers.copy_requests enable row level security;
grant select on waivers.copy_requests to service_role;
