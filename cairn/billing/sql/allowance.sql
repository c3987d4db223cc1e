-- Counts the waivers that a company sends per month, and refuses to send more than its plan covers. The count is one row
-- per company and month. Simultaneous senders wait for the lock on this row, so they cannot exceed the limit together.

create or replace function billing.count_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    plan    text := billing.plan_of(new.company_id);
    covered int := billing.covered_waivers(plan);
    total   int;
begin
    if not billing.is_first_sending(new.company_id, coalesce(new.session_id, new.id), lower(new.recipient),
                                    is_follow_up => tg_table_name = 'text_messages' or new.kind = 'reminder') then
        return null;
    end if;
    insert into billing.sendings_by_month as existing (company_id, month, sent)
    values (new.company_id, billing.this_month(), 1)
    on conflict (company_id, month) do update set sent = existing.sent + 1
    returning sent into total;
    if total > covered then
        perform billing.refuse(
            case when plan is null then 'free_limit_reached' else 'basic_limit_reached' end,
            jsonb_build_object('covered', covered, 'month', billing.this_month(),
                               'month_name', to_char(billing.this_month(), 'FMMonth YYYY')));
    end if;
    return null;
end
$$;

-- All messages about one session count once for each recipient, and every message without a session counts. A reminder
-- counts only if it is the first message about its waiver.
create or replace trigger count_sending after insert on public.emails
    for each row when (new.kind in ('message', 'reminder') and new.status = 'sending' and new.company_id is not null)
    execute function billing.count_sending();

create or replace trigger count_sending after insert on public.text_messages
    for each row when (new.kind = 'message' and new.session_id is not null and new.status = 'sending')
    execute function billing.count_sending();

-- Records that the recipient is sent this waiver, and returns false if that was recorded before. A text message accompanies
-- the email about the same waiver, and a reminder follows it. For both, `is_follow_up` is true. They are the first sending only
-- if there was no other message about the session.
create or replace function billing.is_first_sending(company uuid, about uuid, recipient text, is_follow_up boolean)
    returns boolean
    language plpgsql security definer set search_path = '' as $$
begin
    -- give_back_sending below waits for the locks on these rows.
    perform from billing.counted_sendings c
      where c.session_id = about and (is_follow_up or c.recipient = '') for update;
    if found then
        return false;
    end if;
    -- `where false` never updates, but evaluating it locks the existing row.
    insert into billing.counted_sendings as existing (session_id, recipient, company_id, month)
    values (about, is_first_sending.recipient, company, billing.this_month())
    on conflict on constraint counted_sendings_pkey do update set month = existing.month where false;
    return found;
end
$$;

-- Messages about this session do not count. A guest sends them, and no guest may use up what the company has paid for.
create or replace function billing.exempt_session(session uuid, company uuid) returns void
    language sql security definer set search_path = ''
    begin atomic
        -- An empty recipient stands for every recipient. No count belongs to this month, so nothing is given back later.
        insert into billing.counted_sendings (session_id, recipient, company_id, month)
        values (session, '', company, '-infinity') on conflict do nothing;
    end;
grant execute on function billing.exempt_session to service_role;

-- Subtracts a waiver from the count if its message was not delivered, unless another message about the same waiver to the
-- same recipient was delivered or is still being sent. A message that its provider first accepted counts even if it came
-- back later: the provider of a company could otherwise report every message as a bounce, and nothing would count.
create or replace function billing.give_back_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    about uuid := coalesce(new.session_id, new.id);
begin
    -- A concurrent resend holds a lock on this row, so the query below runs after the resend and sees its message.
    perform from billing.counted_sendings where session_id = about for update;
    with given_back as (
        delete from billing.counted_sendings c
         where c.session_id = about and not messaging.has_active_message(about, nullif(c.recipient, ''))
        returning c.month),
    by_month as (select month, count(*) as waivers from given_back group by month)
    update billing.sendings_by_month m set sent = greatest(m.sent - b.waivers, 0)
      from by_month b
     where m.company_id = new.company_id and m.month = b.month;
    return null;
end
$$;

create or replace trigger give_back_sending after update of status on public.emails
    for each row when (new.kind in ('message', 'reminder') and new.company_id is not null
                       and new.status in ('failed', 'cancelled') and old.status = 'sending')
    execute function billing.give_back_sending();

create or replace trigger give_back_sending after update of status on public.text_messages
    for each row when (new.kind = 'message' and new.session_id is not null
                       and new.status = 'failed' and old.status <> 'failed')
    execute function billing.give_back_sending();

-- Returns how many waivers the caller's company has sent this month and how many its plan covers. `covered` is null if the
-- plan has no limit.
create or replace function public.waiver_allowance(out month date, out sent int, out covered int)
    language sql stable security definer set search_path = ''
    begin atomic
        select billing.this_month(),
               coalesce((select m.sent from billing.sendings_by_month m
                          where m.company_id = accounts.my_company() and m.month = billing.this_month()), 0),
               billing.covered_waivers(billing.plan_of(accounts.my_company()));
    end;
grant execute on function public.waiver_allowance to authenticated;

-- True if the company cannot send any more waivers this month.
create or replace function billing.allowance_is_used_up(company uuid) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from billing.sendings_by_month m
                    where m.company_id = company and m.month = billing.this_month()
                      and m.sent >= billing.covered_waivers(billing.plan_of(company)));

-- Returns how many waivers a plan covers per month, or null if there is no limit. A company without a plan, for example in
-- its trial, has the limit of Basic.
create or replace function billing.covered_waivers(plan text) returns int
    language sql immutable parallel safe
    return case plan when 'professional' then null else 1000 end;
grant execute on function billing.covered_waivers to public;

create or replace function billing.this_month() returns date
    language sql stable
    return billing.month_of(now());
grant execute on function billing.this_month to public;

-- Returns the first day of the calendar month in UTC, whatever the time zone of the connection is.
create or replace function billing.month_of(moment timestamptz) returns date
    language sql immutable parallel safe
    return date_trunc('month', moment at time zone 'UTC')::date;
grant execute on function billing.month_of to public;
