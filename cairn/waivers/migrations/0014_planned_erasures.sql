-- Signed waivers that will be erased because the company keeps them only for some time. The company is informed 30 days before.
create table waivers.planned_erasures (
    waiver_id  uuid primary key references waivers.signed,
    company_id uuid not null references public.companies,
    erase_at   timestamptz not null,
    planned_at timestamptz not null default now()
);
create index planned_erasures_company_idx on waivers.planned_erasures (company_id, erase_at);
create index planned_erasures_due_idx on waivers.planned_erasures (erase_at);

alter table waivers.planned_erasures enable row level security;
grant select on waivers.planned_erasures to authenticated, service_role;
