-- Queues reminders for the given sessions of the caller's company, or for all its sessions, and returns how many were
-- queued. The buttons of the dashboard and of Waiver Management call it.
create or replace function public.send_reminders(session_ids uuid[] default null) returns int
    language plpgsql security definer set search_path = '' as $$
declare
    company uuid := accounts.my_company();
begin
    if company is null then
        perform waivers.refuse('reminding_needs_company');
    end if;
    perform accounts.refuse_suspended();
    -- The schedule does not apply: a reminder is sent at any age of the session, an hour after the last one.
    return waivers.queue_reminders(company, session_ids, false, 'infinity', now() - interval '1 hour', 2147483647);
end
$$;
grant execute on function public.send_reminders to authenticated;

-- Creates a reminder for every pending, unexpired session of a company whose recipient has an email address and has not
-- opted out, and returns the number of reminders. `only_sessions` limits the sessions; null means all. A session without
-- a reminder must have been created before `first_before`. Otherwise its last reminder must have been requested before
-- `again_before`, and fewer than `at_most` of its reminders may have been scheduled. A session gets at most five reminders in
-- 24 hours, and none on a day on which a limit stopped one, because every reminder is stored. Once the company has used up its
-- waivers of the month, sessions about which no message was delivered or is being sent are skipped: their reminder would
-- be the first message about the waiver, which counts.
create or replace function waivers.queue_reminders(
    company uuid, only_sessions uuid[], scheduled boolean, first_before timestamptz, again_before timestamptz, at_most int)
    returns int
    language plpgsql security definer set search_path = '' as $$
declare
    is_full      boolean := billing.is_full(company);
    queued_count int;
begin
    if accounts.is_suspended(company) then
        return 0;
    end if;
    -- Calls for the same company wait for each other, so that each one sees the reminders of the previous call.
    perform pg_advisory_xact_lock(hashtextextended('reminders of ' || company, 0));
    insert into waivers.reminders (session_id, company_id, scheduled)
    select s.id, s.company_id, queue_reminders.scheduled
      from waivers.sessions s
      left join lateral (select max(r.requested_at) as requested_at, count(*) filter (where r.scheduled) as scheduled_count,
                                count(*) filter (where r.requested_at > now() - interval '1 day') as last_day_count
                           from waivers.reminders r where r.session_id = s.id) previous on true
     where s.company_id = company and s.status = 'pending' and s.expires_at > now() and s.recipient_email is not null
       and (only_sessions is null or s.id = any (only_sessions))
       and case when previous.requested_at is null then s.created_at <= first_before
                else previous.requested_at <= again_before and previous.scheduled_count < at_most
                     and previous.last_day_count < 5 and not messaging.was_reminder_cancelled_today(s.id) end
       and not exists (select from waivers.reminder_refusals f
                        where f.company_id = s.company_id
                          and f.email in (s.recipient_email, messaging.address_hash(s.company_id, s.recipient_email)))
       and (not is_full or messaging.has_active_message(s.id))
    -- A session has at most one open reminder.
    on conflict do nothing;
    get diagnostics queued_count = row_count;
    return queued_count;
end
$$;
grant execute on function waivers.queue_reminders to service_role;

create or replace trigger reminder_requested after insert on waivers.reminders
    for each row execute function jobs.raise_row_event('reminder.requested', 'reminder_id');

-- A reminder is open until the worker has set the outcome of its email.
create or replace function waivers.close_reminder() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update waivers.reminders set open = false where id = new.id;
    return null;
end
$$;

create or replace trigger close_reminder after update of status on public.emails
    for each row when (new.kind = 'reminder' and new.status <> 'sending') execute function waivers.close_reminder();
