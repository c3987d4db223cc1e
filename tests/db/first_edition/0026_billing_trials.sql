-- The trial: seven days from a person's first sign-in. Kept here and not in the browser, so that nothing restarts it.

create schema billing;
grant usage on schema billing to authenticated, service_role;

create table billing.trials (
    user_id    uuid primary key references auth.users on delete cascade,
    start_date timestamptz not null default now(),
    subscribed boolean not null default false,
    -- The last day, in the person's own calendar, on which they were told how long it still lasts.
    told_on    date
);
alter table billing.trials enable row level security;
create policy "people read their own trial" on billing.trials
    for select to authenticated using (user_id = (select auth.uid()));
grant select on billing.trials to authenticated;
grant select, insert, update on billing.trials to service_role;

-- Rounded up, as it is shown. In hours, because seven days are not always as long where clocks are changed.
create function billing.days_remaining(start_date timestamptz, at timestamptz) returns int
    language sql immutable parallel safe
    return ceil(extract(epoch from start_date + interval '168 hours' - at) / 86400)::int;

create view public.trials with (security_invoker = true) as
    select user_id, start_date, subscribed,
           billing.days_remaining(start_date, now()) as days_remaining,
           billing.days_remaining(start_date, now()) >= 0 as is_active
      from billing.trials;
grant select on public.trials to authenticated, service_role;

-- Whichever way someone signs in, a session is opened.
create function billing.start_trial() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into billing.trials (user_id) values (new.user_id) on conflict do nothing;
    return null;
end
$$;
revoke execute on function billing.start_trial() from public;
create trigger start_trial after insert on auth.sessions
    for each row execute function billing.start_trial();

-- 'welcome' the first time, 'reminder' on each later day, null for the rest of it: whoever asks first does the telling,
-- on whichever device that is. `today` is the date where the person is, and no further away than a day can be.
create function public.tell_trial(today date) returns text
    language plpgsql security definer set search_path = '' as $$
declare
    trial billing.trials;
begin
    select * into trial from billing.trials where user_id = auth.uid() for update;
    if trial.user_id is null or trial.subscribed or billing.days_remaining(trial.start_date, now()) < 0
       or trial.told_on >= today or abs(today - current_date) > 1 then
        return null;
    end if;
    update billing.trials set told_on = today where user_id = trial.user_id;
    return case when trial.told_on is null then 'welcome' else 'reminder' end;
end
$$;
revoke execute on function public.tell_trial from public;
grant execute on function public.tell_trial to authenticated;
