-- Asking again. A reminder is a row that is open until its mail is decided, and a session has at most one open.

create table waivers.reminders (
    -- Also the id of its mail, so that it is written once however often somebody tries.
    id         uuid primary key default gen_random_uuid(),
    session_id uuid not null references waivers.sessions,
    company_id uuid not null references public.companies,
    scheduled  boolean not null,
    open       boolean not null default true,
    asked_at   timestamptz not null default now()
);
create index reminders_session_idx on waivers.reminders (session_id, asked_at desc);
create unique index reminders_one_open_idx on waivers.reminders (session_id) where open;
alter table waivers.reminders enable row level security;
create policy "company reads its own reminders" on waivers.reminders
    for select to authenticated using (company_id = (select accounts.my_company()));
grant select on waivers.reminders to authenticated;
grant select, update on waivers.reminders to service_role;

-- Who does not want to be asked again, by whom. A new waiver is still sent to them: that is no reminder.
create table waivers.reminder_refusals (
    company_id uuid not null references public.companies,
    email      text not null check (email = lower(email)),
    since      timestamptz not null default now(),
    primary key (company_id, email)
);
alter table waivers.reminder_refusals enable row level security;
create policy "company reads who wants no reminders from it" on waivers.reminder_refusals
    for select to authenticated using (company_id = (select accounts.my_company()));
grant select on waivers.reminder_refusals to authenticated;
grant select, insert, delete on waivers.reminder_refusals to service_role;

create function waivers.reminder_requested() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform jobs.raise_event('reminder.requested', jsonb_build_object('reminder_id', new.id));
    return null;
end
$$;
revoke execute on function waivers.reminder_requested() from public;
create trigger reminder_requested after insert on waivers.reminders
    for each row execute function waivers.reminder_requested();

-- Every pending, unexpired session of a company whose recipient can be written to and has not refused. Never reminded:
-- opened before `first_before`. Reminded already: not since `again_before`, and by schedule fewer than `at_most` times.
create function waivers.queue_reminders(
    company uuid, only_sessions uuid[], scheduled boolean, first_before timestamptz, again_before timestamptz, at_most int)
    returns int
    language plpgsql security definer set search_path = '' as $$
declare
    queued int;
begin
    -- One at a time for each company, and the statement below sees what the one before has done.
    perform pg_advisory_xact_lock(hashtextextended('reminders of ' || company, 0));
    insert into waivers.reminders (session_id, company_id, scheduled)
    select s.id, s.company_id, queue_reminders.scheduled
      from waivers.sessions s
      left join lateral (select max(r.asked_at) as asked_at, count(*) filter (where r.scheduled) as times
                           from waivers.reminders r where r.session_id = s.id) last on true
     where s.company_id = company and s.status = 'pending' and s.expires_at > now() and s.recipient_email is not null
       and (only_sessions is null or s.id = any (only_sessions))
       and case when last.asked_at is null then s.created_at <= first_before
                else last.asked_at <= again_before and last.times < at_most end
       and not exists (select from waivers.reminder_refusals f
                        where f.company_id = s.company_id and f.email = s.recipient_email)
    on conflict do nothing;
    get diagnostics queued = row_count;
    return queued;
end
$$;
revoke execute on function waivers.queue_reminders from public;
grant execute on function waivers.queue_reminders to service_role;

-- The button. Whoever is not a company has nobody to remind.
create function public.send_reminders(session_ids uuid[] default null) returns int
    language plpgsql security definer set search_path = '' as $$
declare
    company uuid := accounts.my_company();
begin
    if company is null then
        raise exception 'Only a company can send reminders.' using errcode = '42501';
    end if;
    return waivers.queue_reminders(company, session_ids, false, 'infinity', 'infinity', 2147483647);
end
$$;
revoke execute on function public.send_reminders from public;
grant execute on function public.send_reminders to authenticated;

-- What became of the mail is told once, by the worker that sent it.
create function waivers.close_reminder() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update waivers.reminders set open = false where id = new.id;
    return null;
end
$$;
revoke execute on function waivers.close_reminder() from public;
create trigger close_reminder after update of status on public.emails
    for each row when (new.kind = 'reminder' and new.status <> 'sending') execute function waivers.close_reminder();

-- A reminder says nothing about the mail it reminds of.
drop trigger follow_email on public.emails;
create trigger follow_email after update of status on public.emails
    for each row when (new.session_id is not null and new.kind = 'letter') execute function waivers.follow_email();
drop trigger begin_sending on public.emails;
create trigger begin_sending after insert on public.emails
    for each row when (new.session_id is not null and new.kind = 'letter') execute function waivers.begin_sending();
