-- Counts the waivers that a company sends per month, and refuses to send more than its plan covers. The count is one row
-- per company and month. Simultaneous senders wait for the lock on this row, so they cannot exceed the limit together.

create or replace function billing.count_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    plan    text := billing.plan_of(new.company_id);
    covered int := billing.covered_waivers(plan);
    total   int;
begin
    -- `where false` never updates, but evaluating it locks the existing row. give_back_sending below waits for this lock.
    insert into billing.counted_sendings as existing (session_id, company_id, month)
    values (new.session_id, new.company_id, billing.this_month())
    on conflict (session_id) do update set month = existing.month where false;
    if not found then
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
revoke execute on function billing.count_sending from public;

create or replace trigger count_sending after insert on public.emails
    for each row when (new.kind = 'message' and new.session_id is not null and new.company_id is not null)
    execute function billing.count_sending();

-- A waiver is counted once: by the first message about it, whether that is an email or a text message.
create or replace trigger count_sending after insert on public.text_messages
    for each row when (new.kind = 'message' and new.session_id is not null and new.status = 'sending')
    execute function billing.count_sending();

-- Subtracts a waiver from the count if its message was not delivered, unless another message about the same waiver was delivered or is
-- still being sent.
create or replace function billing.give_back_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    counted_month date;
begin
    -- A concurrent resend holds a lock on this row, so the query below runs after it and sees its message.
    perform from billing.counted_sendings where session_id = new.session_id for update;
    if not messaging.has_active_message(new.session_id) then
        delete from billing.counted_sendings where session_id = new.session_id returning month into counted_month;
        update billing.sendings_by_month set sent = sent - 1
         where company_id = new.company_id and month = counted_month and sent > 0;
    end if;
    return null;
end
$$;
revoke execute on function billing.give_back_sending from public;

create or replace trigger give_back_sending after update of status on public.emails
    for each row when (new.kind = 'message' and new.session_id is not null
                       and new.status in ('failed', 'cancelled') and old.status not in ('failed', 'cancelled'))
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
revoke execute on function public.waiver_allowance from public;
grant execute on function public.waiver_allowance to authenticated;

-- True if the company cannot send any more waivers this month.
create or replace function billing.is_full(company uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select exists (select from billing.sendings_by_month m
                        where m.company_id = company and m.month = billing.this_month()
                          and m.sent >= billing.covered_waivers(billing.plan_of(company)));
    end;
revoke execute on function billing.is_full from public;

-- Returns how many waivers a plan covers per month, or null if there is no limit. A company without a plan, for example in
-- its trial, has the limit of Basic.
create or replace function billing.covered_waivers(plan text) returns int
    language sql immutable parallel safe
    return case plan when 'professional' then null else 1000 end;

create or replace function billing.this_month() returns date
    language sql stable
    return date_trunc('month', now() at time zone 'UTC')::date;
