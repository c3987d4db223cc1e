-- Returns what this package stores about a person, for their own export. The keys of a push subscription are left out, because
-- they encrypt messages to the browser.
create or replace function accounts.person_data(person uuid) returns jsonb
    language sql stable security definer set search_path = ''
    begin atomic
        select jsonb_build_object(
            'profile', (select jsonb_agg(to_jsonb(p)) from public.profiles p where p.id = person),
            'push_subscriptions', (select jsonb_agg(jsonb_build_object('endpoint', s.endpoint, 'created_at', s.created_at)
                                                    order by s.created_at)
                                     from public.push_subscriptions s where s.user_id = person));
    end;
revoke execute on function accounts.person_data from public;
grant execute on function accounts.person_data to service_role;
