-- How many waivers a month a plan covers. Counted where every sending passes, whoever sends and however many at once: one
-- row for each company and month, whose lock makes those who come at the same moment queue for as long as an insert takes.

create table billing.sendings_by_month (
    company_id uuid not null references public.companies,
    -- The first day of it, in UTC.
    month      date not null,
    sent       int not null check (sent >= 0),
    primary key (company_id, month)
);
alter table billing.sendings_by_month enable row level security;
create policy "company reads how many waivers it has sent" on billing.sendings_by_month
    for select to authenticated using (company_id = (select accounts.my_company()));
grant select on billing.sendings_by_month to authenticated, service_role;

-- What has been counted, so that writing again about the same waiver is not a second one.
create table billing.counted_sendings (
    session_id uuid primary key,
    company_id uuid not null references public.companies,
    month      date not null
);
create index counted_sendings_company_idx on billing.counted_sendings (company_id);
alter table billing.counted_sendings enable row level security;
grant select on billing.counted_sendings to service_role;

-- What was sent before there was a count.
insert into billing.counted_sendings (session_id, company_id, month)
select session_id, company_id, date_trunc('month', min(created_at) at time zone 'UTC')::date
  from public.emails
 where kind = 'letter' and session_id is not null and company_id is not null and status not in ('failed', 'cancelled')
 group by session_id, company_id
    on conflict do nothing;
insert into billing.sendings_by_month (company_id, month, sent)
select company_id, month, count(*) from billing.counted_sendings group by company_id, month;

-- Null: as many as there are guests. A company in its trial, or without a plan, has what Basic has.
create function billing.covered_waivers(plan text) returns int
    language sql immutable parallel safe
    return case plan when 'professional' then null else 1000 end;

create function billing.this_month() returns date
    language sql stable
    return date_trunc('month', now() at time zone 'UTC')::date;

create function billing.count_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    plan    text := billing.plan_of(new.company_id);
    covered int := billing.covered_waivers(plan);
    total   int;
begin
    -- The condition is never true, but asking it locks the row: see below.
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
        raise exception '% % waivers a month, and that many were sent in %. The Professional plan has no limit.',
            case when plan is null then 'Without a plan you can send' else 'The Basic plan covers' end, covered,
            to_char(billing.this_month(), 'FMMonth YYYY')
            using errcode = 'PT402';
    end if;
    return null;
end
$$;
revoke execute on function billing.count_sending() from public;
create trigger count_sending after insert on public.emails
    for each row when (new.kind = 'letter' and new.session_id is not null and new.company_id is not null)
    execute function billing.count_sending();

-- What reached nobody does not count, unless another mail about the same waiver did or still may.
create function billing.give_back_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    freed date;
begin
    -- Whoever sends it again at this moment holds this row, and then their mail is seen by the question that follows.
    perform from billing.counted_sendings where session_id = new.session_id for update;
    if not exists (select from public.emails e
                    where e.session_id = new.session_id and e.kind = 'letter'
                      and e.status not in ('failed', 'cancelled')) then
        delete from billing.counted_sendings where session_id = new.session_id returning month into freed;
        update billing.sendings_by_month set sent = sent - 1
         where company_id = new.company_id and month = freed and sent > 0;
    end if;
    return null;
end
$$;
revoke execute on function billing.give_back_sending() from public;
create trigger give_back_sending after update of status on public.emails
    for each row when (new.kind = 'letter' and new.session_id is not null
                       and new.status in ('failed', 'cancelled') and old.status not in ('failed', 'cancelled'))
    execute function billing.give_back_sending();

-- How far the caller's company has come this month; `covered` is null where there is no limit.
create function public.waiver_allowance(out month date, out sent int, out covered int)
    language sql stable security definer set search_path = ''
    begin atomic
        select billing.this_month(),
               coalesce((select m.sent from billing.sendings_by_month m
                          where m.company_id = accounts.my_company() and m.month = billing.this_month()), 0),
               billing.covered_waivers(billing.plan_of(accounts.my_company()));
    end;
revoke execute on function public.waiver_allowance from public;
grant execute on function public.waiver_allowance to authenticated;
