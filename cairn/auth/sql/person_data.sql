-- Returns what this package stores about a user, for the person's own export: one entry for each row, and at most 1,000 entries
-- of a list on one page. It contains no password, secret or token, not even as a hash.
create or replace function auth.person_data(person uuid, page int) returns table (list text, entry jsonb)
    language sql stable security definer set search_path = ''
    begin atomic
        (select 'account', to_jsonb(u) - 'encrypted_password' || jsonb_build_object(
                               'has_password', u.encrypted_password is not null)
           from auth.users u where u.id = person and page = 0)
        union all
        (select 'identities', to_jsonb(i) - 'user_id'
           from auth.identities i where i.user_id = person order by i.created_at, i.id limit 1000 offset 1000 * page)
        union all
        (select 'second_factors', to_jsonb(f) - array['user_id', 'secret', 'credential', 'last_step']
           from auth.mfa_factors f where f.user_id = person order by f.created_at, f.id limit 1000 offset 1000 * page)
        union all
        (select 'sign_ins', to_jsonb(s) - 'user_id'
           from auth.sessions s where s.user_id = person order by s.created_at, s.id limit 1000 offset 1000 * page)
        union all
        (select 'account_history', to_jsonb(l) - array['id', 'user_id']
           from auth.audit_log l where l.user_id = person order by l.id desc limit 1000 offset 1000 * page);
    end;
grant execute on function auth.person_data to service_role;
