-- What we say to people: emails, and the notifications of the bell. This floor does not know what a waiver is.

create table public.emails (
    id              uuid primary key default gen_random_uuid(),
    company_id      uuid references public.companies,
    session_id      uuid,
    recipient       text not null check (length(recipient) between 3 and 320),
    subject         text not null check (length(subject) between 1 and 998 and subject !~ '[\r\n]'),
    body            text not null check (length(body) <= 100000),
    -- What the link in the body invites to do: the words on its button.
    action          text check (length(action) <= 60),
    sender_name     text check (length(sender_name) <= 200),
    reply_to        text check (length(reply_to) <= 320),
    attachment_type text not null default 'link' check (attachment_type in ('link', 'pdf')),
    -- kept: no mail server is set up, so the mail waits in the local mailbox and went to nobody.
    status          text not null default 'sending' check (status in ('sending', 'delivered', 'kept', 'failed')),
    attempts        int not null default 0,
    error           text,
    message_id      text,
    created_at      timestamptz not null default now(),
    sent_at         timestamptz
);
comment on column public.emails.session_id is 'What the mail is about, for those who know.';
create index emails_newest_idx on public.emails (company_id, created_at desc);
create index emails_session_idx on public.emails (session_id);

alter table public.emails enable row level security;
create policy "company reads its own emails" on public.emails
    for select to authenticated using (company_id = (select accounts.my_company()));
grant select on public.emails to authenticated;
grant select, insert, update on public.emails to service_role;

create function cairn.email_requested() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform jobs.raise_event('email.requested', jsonb_build_object('email_id', new.id));
    return null;
end
$$;
create trigger email_requested after insert on public.emails
    for each row execute function cairn.email_requested();

create table public.notifications (
    id         uuid primary key default gen_random_uuid(),
    company_id uuid not null references public.companies,
    title      text not null,
    message    text not null,
    read       boolean not null default false,
    data       jsonb not null default '{}',
    -- What it tells of; one notification a fact, however often the job that writes it runs.
    about      uuid not null,
    created_at timestamptz not null default now(),
    unique (company_id, about)
);
create index notifications_newest_idx on public.notifications (company_id, created_at desc);

alter table public.notifications enable row level security;
create policy "company reads its own notifications" on public.notifications
    for select to authenticated using (company_id = (select accounts.my_company()));
create policy "company marks its own notifications" on public.notifications
    for update to authenticated using (company_id = (select accounts.my_company()));
create policy "company clears its own notifications" on public.notifications
    for delete to authenticated using (company_id = (select accounts.my_company()));
grant select, delete on public.notifications to authenticated;
grant update (read) on public.notifications to authenticated;
grant select, insert, update, delete on public.notifications to service_role;
