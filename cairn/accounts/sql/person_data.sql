-- Returns what this package stores about a person, for their own export: one entry for each row, and at most 1,000 entries of a
-- list on one page. The keys of a push subscription are left out, because they encrypt messages to the browser.
create or replace function accounts.person_data(person uuid, page int) returns table (list text, entry jsonb)
    language sql stable security definer set search_path = ''
    begin atomic
        (select 'profile', to_jsonb(p) from public.profiles p where p.id = person and page = 0)
        union all
        (select 'push_subscriptions', jsonb_build_object('endpoint', s.endpoint, 'created_at', s.created_at)
           from public.push_subscriptions s where s.user_id = person
          order by s.created_at, s.endpoint limit 1000 offset 1000 * page);
    end;
grant execute on function accounts.person_data to service_role;
