-- Companies whose jobs in a queue wait, because the server that they call did not respond.
create table jobs.pauses (
    queue_name text not null,
    -- As `jobs.company_of` returns it.
    company    text not null,
    until      timestamptz not null,
    primary key (queue_name, company)
);
alter table jobs.pauses enable row level security;
grant select, insert, update, delete on jobs.pauses to service_role;
