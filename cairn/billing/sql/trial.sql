create or replace view public.trials with (security_invoker = true) as
    select user_id, start_date, subscribed,
           billing.days_remaining(start_date, now()) as days_remaining,
           billing.days_remaining(start_date, now()) >= 0 as is_active
      from billing.trials;
grant select on public.trials to authenticated, service_role;

-- The number of days is rounded up. It counts 168 hours from the start and not seven days, because a day on which the clocks
-- change is not 24 hours long. With 0 days remaining the trial is still active, so it ends 192 hours after the start.
create or replace function billing.days_remaining(start_date timestamptz, at timestamptz) returns int
    language sql immutable parallel safe
    return ceil(extract(epoch from start_date + interval '168 hours' - at) / 86400)::int;
grant execute on function billing.days_remaining to public;

-- Every way of signing in creates a session, so the trial starts with the first session. A user who joins a subscribed
-- company is subscribed from the start.
create or replace function billing.start_trial() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    insert into billing.trials (user_id, subscribed) values (new.user_id, billing.is_subscribed(new.user_id))
    on conflict do nothing;
    return null;
end
$$;

create or replace trigger start_trial after insert on auth.sessions
    for each row execute function billing.start_trial();

-- Returns which trial notice the browser should show: 'welcome' the first time, 'reminder' once on each later day,
-- otherwise null. Only the first device that calls this on a day shows the notice. `today` is the date in the caller's
-- time zone, which is at most one day away from the server's date.
create or replace function public.tell_trial(today date) returns text
    language plpgsql security definer set search_path = '' as $$
declare
    trial billing.trials;
begin
    select * into trial from billing.trials where user_id = auth.uid() for update;
    if trial.user_id is null or trial.subscribed or billing.days_remaining(trial.start_date, now()) < 0
       or trial.last_notified_on >= today or abs(today - current_date) > 1 then
        return null;
    end if;
    update billing.trials set last_notified_on = today where user_id = trial.user_id;
    return case when trial.last_notified_on is null then 'welcome' else 'reminder' end;
end
$$;
grant execute on function public.tell_trial to authenticated;
