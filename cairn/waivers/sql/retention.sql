-- Erases signed waivers when their company wants to keep them no longer. No waiver is erased earlier than 30 days after its erasure
-- was planned, so that the company can hold the waiver or change the setting first.

-- Plans the erasure of up to `up_to` waivers of a company, and returns how many these are and when they are erased. A company
-- gets at most one report a week, so this also plans what becomes due in the week after the 30 days. Plans that no longer apply,
-- because the company keeps its waivers longer now, are dropped. They still count as reported, so that no second report is sent in
-- the same week.
create or replace function waivers.plan_erasures(company uuid, months int, up_to int)
    returns table (waiver_count bigint, first_at timestamptz, last_at timestamptz)
    language plpgsql security definer set search_path = '' as $$
declare
    kept_for constant interval := make_interval(months => plan_erasures.months);
begin
    delete from waivers.planned_erasures p
     where p.waiver_id in (select e.waiver_id from waivers.planned_erasures e join waivers.signed w on w.id = e.waiver_id
                            where e.company_id = company and w.erased_at is not null limit up_to);
    update waivers.planned_erasures p set is_dropped = true
     where p.waiver_id in (select e.waiver_id from waivers.planned_erasures e join waivers.signed w on w.id = e.waiver_id
                            where e.company_id = company and not e.is_dropped and w.signed_at + kept_for > e.erase_at
                            limit up_to);
    if exists (select from waivers.planned_erasures p
                where p.company_id = company and p.planned_at > now() - interval '7 days') then
        return query select 0::bigint, null::timestamptz, null::timestamptz;
        return;
    end if;
    return query
    with planned as (
        insert into waivers.planned_erasures (waiver_id, company_id, erase_at)
        select w.id, company, greatest(w.signed_at + kept_for, now() + interval '30 days')
          from waivers.signed w
         where w.company_id = company and w.signed_at < now() + interval '37 days' - kept_for
           and w.erased_at is null and w.held_since is null
           and not exists (select from waivers.planned_erasures p where p.waiver_id = w.id and not p.is_dropped)
         order by w.signed_at
         limit up_to
        on conflict (waiver_id) do update set erase_at = excluded.erase_at, planned_at = now(), is_dropped = false
        returning erase_at)
    select count(*), min(erase_at), max(erase_at) from planned;
end
$$;
grant execute on function waivers.plan_erasures to service_role;

-- Drops up to `up_to` plans of companies that keep their waivers for good now, and returns how many these were. If the companies
-- change their mind again, the erasures are planned and reported again.
create or replace function waivers.drop_plans_without_retention(up_to int) returns bigint
    language sql security definer set search_path = '' as $$
    with ended as (
        select p.waiver_id from waivers.planned_erasures p
         where not p.is_dropped and not exists (select from accounts.retentions r where r.company_id = p.company_id)
         limit up_to for update of p skip locked),
    dropped as (
        update waivers.planned_erasures p set is_dropped = true from ended where p.waiver_id = ended.waiver_id returning 1)
    select count(*) from dropped
$$;
grant execute on function waivers.drop_plans_without_retention to service_role;

-- Deletes up to `up_to` dropped plans that no longer count for the report of a week, and returns how many these were.
create or replace function waivers.delete_dropped_plans(up_to int) returns bigint
    language sql security definer set search_path = '' as $$
    with old as (
        select p.waiver_id from waivers.planned_erasures p
         where p.is_dropped and p.planned_at < now() - interval '7 days'
         limit up_to for update skip locked),
    deleted as (
        delete from waivers.planned_erasures p using old where p.waiver_id = old.waiver_id returning 1)
    select count(*) from deleted
$$;
grant execute on function waivers.delete_dropped_plans to service_role;

-- A hold drops the plan of its waiver. After the hold, the erasure is planned and reported again.
create or replace function waivers.drop_plan() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update waivers.planned_erasures p set is_dropped = true where p.waiver_id = new.id;
    return null;
end
$$;

create or replace trigger drop_plan after update of held_since on waivers.signed
    for each row when (new.held_since is not null) execute function waivers.drop_plan();

-- Returns up to `up_to` waivers that are due. All companies take turns, so that erasures of one company, even if they fail
-- again and again, do not keep those of the others waiting.
create or replace function waivers.due_erasures(up_to int) returns setof uuid
    language sql stable security definer set search_path = '' as $$
    select p.waiver_id
      from waivers.planned_erasures p join waivers.signed w on w.id = p.waiver_id
     where p.erase_at <= now() and not p.is_dropped and w.held_since is null
     order by row_number() over (partition by p.company_id order by p.erase_at), p.erase_at
     limit up_to
$$;
grant execute on function waivers.due_erasures to service_role;

-- Erases a waiver that is due, unless its company keeps it longer now.
create or replace function waivers.erase_due(waiver_id uuid) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    due    waivers.planned_erasures;
    months int;
    waiver waivers.signed;
begin
    -- The session is locked first, as by a hold, so that the two cannot deadlock.
    waiver := waivers.lock_waiver(erase_due.waiver_id);
    select p.* into due from waivers.planned_erasures p
     where p.waiver_id = erase_due.waiver_id and p.erase_at <= now() and not p.is_dropped for update;
    if due.waiver_id is null then
        return;
    end if;
    select r.months into months from accounts.retentions r where r.company_id = due.company_id;
    if waiver.erased_at is null and waiver.held_since is null and waiver.signed_at + make_interval(months => months) <= now() then
        perform waivers.erase(waiver, jsonb_build_object('cause', 'retention', 'reason', format('Kept for %s months', months)));
    end if;
    delete from waivers.planned_erasures p where p.waiver_id = due.waiver_id and waiver.held_since is null;
end
$$;
grant execute on function waivers.erase_due to service_role;

-- The waivers of the caller's company that will be erased, as a report for the company. Plans that no longer apply are left
-- out; a hold has dropped the plan of its waiver. The view has no join, so that an attempt to write to it is refused because the
-- privilege is missing.
create or replace view public.planned_erasures with (security_invoker = true) as
    select w.id as waiver_id, w.session_id, w.company_id, w.template_name, w.signer_name, w.signer_email, w.signed_at,
           (select p.erase_at from waivers.planned_erasures p where p.waiver_id = w.id) as erase_at
      from waivers.signed w
     where w.erased_at is null
       and exists (select from waivers.planned_erasures p
                     join accounts.retentions r on r.company_id = p.company_id
                    where p.waiver_id = w.id and not p.is_dropped and w.signed_at + make_interval(months => r.months) <= p.erase_at);
grant select on public.planned_erasures to authenticated, service_role;

-- Returns how many waivers of the caller's company would be erased in 30 days if the company kept them for this many months.
create or replace function public.count_waivers_to_erase(months int) returns bigint
    language sql stable
    begin atomic
        select count(*) from waivers.signed w
         where w.company_id = (select accounts.my_company()) and w.erased_at is null and w.held_since is null
           and w.signed_at < now() + interval '30 days' - make_interval(months => least(months, 1200));
    end;
grant execute on function public.count_waivers_to_erase to authenticated;
