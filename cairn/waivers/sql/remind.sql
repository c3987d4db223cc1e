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
    -- The schedule does not apply: neither the age of the session nor the number of its scheduled reminders matters
    -- (2147483647 is the largest int), and the last reminder must be older than an hour.
    return waivers.queue_reminders(company, session_ids, false, 'infinity', now() - interval '1 hour', 2147483647);
end
$$;
grant execute on function public.send_reminders to authenticated;

-- Shows the caller's company whom `send_reminders` would remind now, and whom not and why (`obstacle`, which is null for those
-- who are reminded). The rows with the same obstacle are newest first; at most `up_to` of them are returned, and `group_count`
-- says how many there are. `written_at` is when the last message about the waiver was sent.
create or replace function public.reminder_preview(up_to int default 200)
    returns table (session_id uuid, name text, email text, template_name text, obstacle text, written_at timestamptz,
                   group_count bigint)
    language plpgsql stable security definer set search_path = '' as $$
declare
    company  uuid := accounts.my_company();
    max_rows int := least(greatest(up_to, 1), 1000);
begin
    if company is null then
        perform waivers.refuse('reminding_needs_company');
    end if;
    return query
    with unsigned as (
        select c.session_id, c.created_at, c.obstacle
          from waivers.reminder_candidates(company, null, 'infinity', now() - interval '1 hour', 2147483647) c
        union all
        select s.id, s.created_at, 'expired'
          from waivers.sessions s
         where s.company_id = company and s.status = 'pending' and s.expires_at <= now()),
    numbered as (
        select u.session_id, u.obstacle, count(*) over (partition by u.obstacle) as group_count,
               row_number() over (partition by u.obstacle order by u.created_at desc, u.session_id) as place
          from unsigned u)
    select n.session_id, coalesce(s.recipient_name, 'Anonymous'), s.recipient_email, s.template_name, n.obstacle,
           messaging.last_message_at(n.session_id), n.group_count
      from numbered n
      join waivers.sessions s on s.id = n.session_id
     where n.place <= max_rows
     order by n.obstacle nulls first, n.place;
end
$$;
grant execute on function public.reminder_preview to authenticated;

-- Creates a reminder for every session that may be reminded (see `reminder_candidates`), and returns the number of reminders.
create or replace function waivers.queue_reminders(
    company uuid, only_sessions uuid[], scheduled boolean, first_before timestamptz, again_before timestamptz, at_most int)
    returns int
    language plpgsql security definer set search_path = '' as $$
declare
    queued_count int;
begin
    if accounts.is_suspended(company) then
        return 0;
    end if;
    -- Calls for the same company wait for each other, so that each one sees the reminders of the previous call.
    perform pg_advisory_xact_lock(hashtextextended('reminders of ' || company, 0));
    insert into waivers.reminders (session_id, company_id, scheduled)
    select c.session_id, company, queue_reminders.scheduled
      from waivers.reminder_candidates(company, only_sessions, first_before, again_before, at_most) c
      join waivers.sessions s on s.id = c.session_id
     where c.obstacle is null
       -- A guest, perhaps a stranger, has entered the address of an adult whom they invited. Only the company reminds that person.
       and not (queue_reminders.scheduled and s.invited_by is not null)
    -- A session has at most one open reminder.
    on conflict do nothing;
    get diagnostics queued_count = row_count;
    return queued_count;
end
$$;
grant execute on function waivers.queue_reminders to service_role;

-- Returns every pending, unexpired session of a company, and why it gets no reminder now. `obstacle` is null if it gets one.
-- `only_sessions` limits the sessions; null means all. If a session has had no reminder yet, it must have been created before
-- `first_before`. If it has had some, the last one must have been requested before `again_before`, and fewer than `at_most` of
-- them may have been scheduled. A session gets at most five reminders in 24 hours, and none on a day on which a limit
-- stopped one, because every reminder is stored. If the company has used up its waivers of the month, sessions about which no
-- message was delivered or is being sent get none: it would be the first message about the waiver, and so count as a sent waiver.
create or replace function waivers.reminder_candidates(
    company uuid, only_sessions uuid[], first_before timestamptz, again_before timestamptz, at_most int)
    returns table (session_id uuid, created_at timestamptz, obstacle text)
    language plpgsql stable security definer set search_path = '' as $$
declare
    allowance_is_used_up boolean := billing.allowance_is_used_up(company);
begin
    return query
    select s.id, s.created_at, case
               when s.recipient_email is null then 'no_address'
               when exists (select from waivers.reminder_refusals f
                             where f.company_id = s.company_id
                               and f.email in (s.recipient_email, messaging.address_hash(s.company_id, s.recipient_email)))
                    then 'stopped'
               when suppressed.reason is not null then suppressed.reason
               when previous.is_open then 'queued'
               when previous.requested_at is null and s.created_at > first_before then 'not_due'
               when previous.requested_at > again_before then 'recent'
               when previous.scheduled_count >= at_most then 'enough'
               when previous.last_day_count >= 5 then 'too_often'
               when previous.requested_at is not null and messaging.was_reminder_cancelled_today(s.id) then 'limited'
               when allowance_is_used_up and not messaging.has_active_message(s.id) then 'plan'
           end
      from waivers.sessions s
      left join lateral (select max(r.requested_at) as requested_at, bool_or(r.open) as is_open,
                                count(*) filter (where r.scheduled) as scheduled_count,
                                count(*) filter (where r.requested_at > now() - interval '1 day') as last_day_count
                           from waivers.reminders r where r.session_id = s.id) previous on true
      left join lateral messaging.suppression_of(s.company_id, s.recipient_email) as suppressed (reason) on true
     where s.company_id = company and s.status = 'pending' and s.expires_at > now()
       and (only_sessions is null or s.id = any (only_sessions));
end
$$;

create or replace trigger reminder_requested after insert on waivers.reminders
    for each row execute function jobs.raise_row_event('reminder.requested', 'reminder_id', 'with company');

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
