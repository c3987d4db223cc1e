create or replace function messaging.text_message_requested() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform jobs.raise_event('text_message.requested', jsonb_build_object('text_message_id', new.id));
    return null;
end
$$;

create or replace trigger text_message_requested after insert on public.text_messages
    for each row execute function messaging.text_message_requested();
