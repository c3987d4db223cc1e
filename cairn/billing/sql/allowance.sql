-- Counts the waivers that a company sends in a month, and refuses a sending that its plan does not cover. There is one
-- row per company and month; its lock makes simultaneous sendings wait for each other.

create or replace function billing.count_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    plan    text := billing.plan_of(new.company_id);
    covered int := billing.covered_waivers(plan);
    total   int;
begin
    -- `where false` never updates, but evaluating it locks the existing row: see give_back_sending below.
    insert into billing.counted_sendings as known (session_id, company_id, month)
    values (new.session_id, new.company_id, billing.this_month())
    on conflict (session_id) do update set month = known.month where false;
    if not found then
        return null;
    end if;
    insert into billing.sendings_by_month as counted (company_id, month, sent)
    values (new.company_id, billing.this_month(), 1)
    on conflict (company_id, month) do update set sent = counted.sent + 1
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

-- The first message about a waiver counts it, whether it is an email or a text message; the second finds it counted.
create or replace trigger count_sending after insert on public.text_messages
    for each row when (new.kind = 'message' and new.session_id is not null and new.status = 'sending')
    execute function billing.count_sending();

-- A message that was not delivered does not count, unless another message about the same waiver was delivered or is
-- still being sent.
create or replace function billing.give_back_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    freed date;
begin
    -- A concurrent resend holds a lock on this row, so the query below runs after it and sees its message.
    perform from billing.counted_sendings where session_id = new.session_id for update;
    if not messaging.is_message_out(new.session_id) then
        delete from billing.counted_sendings where session_id = new.session_id returning month into freed;
        update billing.sendings_by_month set sent = sent - 1
         where company_id = new.company_id and month = freed and sent > 0;
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

-- Returns how many waivers the caller's company has sent this month. `covered` is null if the plan has no limit.
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

create or replace function billing.is_full(company uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select exists (select from billing.sendings_by_month m
                        where m.company_id = company and m.month = billing.this_month()
                          and m.sent >= billing.covered_waivers(billing.plan_of(company)));
    end;
revoke execute on function billing.is_full from public;

-- Returns how many waivers a month the plan covers; null means unlimited. A company in its trial or without a plan has
-- the limit of Basic.
create or replace function billing.covered_waivers(plan text) returns int
    language sql immutable parallel safe
    return case plan when 'professional' then null else 1000 end;

create or replace function billing.this_month() returns date
    language sql stable
    return date_trunc('month', now() at time zone 'UTC')::date;
