-- How many emails a company has sent to guests on the day of its last one, which is a calendar day in UTC.
create table messaging.sent_today (
    company_id uuid not null references public.companies,
    -- sent: messages, reminders and tests. copies: copies of signed documents, which guests cause by signing.
    kind       text not null check (kind in ('sent', 'copies')),
    day        date not null,
    sent       int not null check (sent > 0),
    primary key (company_id, kind)
);
alter table messaging.sent_today enable row level security;
grant select, insert, update on messaging.sent_today to service_role;

-- The email was queued while it could not leave the server, so it was not limited and must not leave it later either.
alter table public.emails add column stays_local boolean not null default false;
