-- A waiver that was not sent because the month was full is not sent as a reminder of itself.

create function billing.is_full(company uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select exists (select from billing.sendings_by_month m
                        where m.company_id = company and m.month = billing.this_month()
                          and m.sent >= billing.covered_waivers(billing.plan_of(company)));
    end;
revoke execute on function billing.is_full from public;

-- It was meant to be mailed, and no mail about it went out or still may. A link handed over by other means is no mail.
create function waivers.was_never_mailed(session uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select exists (select from public.sent_waivers w where w.session_id = session)
               and not exists (select from public.emails e
                                where e.session_id = session and e.kind = 'letter'
                                  and e.status not in ('failed', 'cancelled'));
    end;
revoke execute on function waivers.was_never_mailed from public;

-- As in migration 0024, with one more condition: the last.
create or replace function waivers.queue_reminders(
    company uuid, only_sessions uuid[], scheduled boolean, first_before timestamptz, again_before timestamptz, at_most int)
    returns int
    language plpgsql security definer set search_path = '' as $$
declare
    queued int;
    is_full boolean := billing.is_full(company);
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
       and not (is_full and waivers.was_never_mailed(s.id))
    on conflict do nothing;
    get diagnostics queued = row_count;
    return queued;
end
$$;
