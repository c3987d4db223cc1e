-- Triggers and jobs call the functions in this file to send messages to the channels of open browsers.

-- Sends a JSON message. Private messages are stored for replay.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
    returns void
    language sql security definer set search_path = ''
    begin atomic
        insert into realtime.messages (topic, extension, event, payload, private)
        values (topic, 'broadcast', event, payload, private);
    end;
grant execute on function realtime.send to service_role;

-- Sends a binary message, which cannot be replayed.
create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
    returns void
    language sql security definer set search_path = ''
    begin atomic
        insert into realtime.messages (topic, extension, event, binary_payload, private)
        values (topic, 'broadcast', event, payload, private);
    end;
grant execute on function realtime.send_binary to service_role;

-- Sends a row change to a private topic. It is called from a trigger, with the values that the trigger receives.
create or replace function realtime.broadcast_changes(
    topic_name text, event_name text, operation text, table_name text, table_schema text,
    new record, old record, level text default 'ROW') returns void
    language plpgsql security definer set search_path = '' as $$
begin
    if level = 'STATEMENT' then
        perform realtime.refuse('broadcast_needs_row_trigger');
    end if;
    perform realtime.send(jsonb_build_object(
        'schema', table_schema, 'table', table_name, 'operation', operation, 'id', gen_random_uuid(),
        'record', case when operation <> 'DELETE' then to_jsonb(new) end,
        'old_record', case when operation <> 'INSERT' then to_jsonb(old) end), event_name, topic_name, true);
end
$$;
grant execute on function realtime.broadcast_changes to service_role;

-- Raises an event for each message, so that the change feed delivers the message after the commit.
create or replace trigger message_sent after insert on realtime.messages
    for each row when (new.extension = 'broadcast')
    execute function jobs.raise_row_event('broadcast.sent', 'message_id');
