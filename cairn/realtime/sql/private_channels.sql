-- Returns the topic of the private channel that a client wants to join, without the `realtime:` prefix of the protocol.
-- Policies of `realtime.messages` call it.
create or replace function realtime.topic() returns text
    language sql stable
    return nullif(current_setting('realtime.topic', true), '');
grant execute on function realtime.topic to anon, authenticated, service_role;

-- Returns whether the caller may read from ('r') or write to ('a') the topic in `realtime.topic()`. It evaluates the
-- policies of `realtime.messages` for a message that is never stored.
create or replace function realtime.may(verb "char", extension text) returns boolean
    language plpgsql stable set search_path = '' as $$
declare
    is_allowed boolean;
begin
    if not has_table_privilege('realtime.messages', case verb when 'r' then 'select' else 'insert' end) then
        return false;
    end if;
    execute format('select exists (select from jsonb_populate_record(null::realtime.messages, $1) as messages where %s)',
                   realtime.rule('realtime.messages', current_user, verb))
       into is_allowed
      using jsonb_build_object('id', gen_random_uuid(), 'topic', realtime.topic(), 'extension', extension,
                               'private', true, 'inserted_at', now());
    return is_allowed;
end
$$;
grant execute on function realtime.may to anon, authenticated, service_role;
