-- Keeps only the ten newest subscriptions of a user. That is enough for all of a person's devices, and too few to attack
-- a push service with.
create or replace function accounts.limit_push_subscriptions() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    delete from public.push_subscriptions
     where id in (select s.id from public.push_subscriptions s
                   where s.user_id = new.user_id order by s.created_at desc offset 10);
    return null;
end
$$;

create or replace trigger limit_push_subscriptions after insert on public.push_subscriptions
    for each row execute function accounts.limit_push_subscriptions();
