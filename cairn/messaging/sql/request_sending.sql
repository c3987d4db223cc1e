-- Raises the event for which the worker sends the new email or text message. The arguments of the trigger are the name of
-- the event and the name of the id in its payload.
create or replace function messaging.request_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform jobs.raise_event(tg_argv[0], jsonb_build_object(tg_argv[1], new.id));
    return null;
end
$$;

create or replace trigger email_requested after insert on public.emails
    for each row execute function messaging.request_sending('email.requested', 'email_id');

create or replace trigger text_message_requested after insert on public.text_messages
    for each row execute function messaging.request_sending('text_message.requested', 'text_message_id');
