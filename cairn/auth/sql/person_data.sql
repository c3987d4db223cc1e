-- Returns what this package stores about a user, for the person's own export: an object with a list of rows for each file. It
-- contains no password, secret or token, not even as a hash.
create or replace function auth.person_data(person uuid) returns jsonb
    language sql stable security definer set search_path = ''
    return jsonb_build_object(
        'account', (select jsonb_agg(to_jsonb(u) - 'encrypted_password' || jsonb_build_object(
                               'has_password', u.encrypted_password is not null))
                      from auth.users u where u.id = person),
        'identities', (select jsonb_agg(to_jsonb(i) - 'user_id' order by i.created_at)
                         from auth.identities i where i.user_id = person),
        'second_factors', (select jsonb_agg(to_jsonb(f) - array['user_id', 'secret', 'credential', 'last_step']
                                            order by f.created_at)
                             from auth.mfa_factors f where f.user_id = person),
        'sign_ins', (select jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at)
                       from auth.sessions s where s.user_id = person),
        'account_history', (select jsonb_agg(e.event order by e.id desc)
                              from (select l.id, to_jsonb(l) - array['id', 'user_id'] as event
                                      from auth.audit_log l where l.user_id = person order by l.id desc limit 10000) e));
revoke execute on function auth.person_data from public;
grant execute on function auth.person_data to service_role;
