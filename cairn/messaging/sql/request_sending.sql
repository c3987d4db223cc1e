-- Removes characters that would spoil a message. The names in it may have been stored before names were cleaned.
create or replace function messaging.clean_email() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    new.subject := cairn.clean_line(new.subject);
    new.sender_name := cairn.clean_line(new.sender_name);
    new.body := cairn.clean_text(new.body);
    return new;
end
$$;
revoke execute on function messaging.clean_email from public;

create or replace trigger clean_email before insert on public.emails
    for each row execute function messaging.clean_email();

create or replace function messaging.clean_text_message() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    new.body := cairn.clean_text(new.body);
    return new;
end
$$;
revoke execute on function messaging.clean_text_message from public;

create or replace trigger clean_text_message before insert on public.text_messages
    for each row execute function messaging.clean_text_message();

-- These events make the worker send a new email or text message.

create or replace trigger email_requested after insert on public.emails
    for each row execute function jobs.raise_row_event('email.requested', 'email_id');

create or replace trigger text_message_requested after insert on public.text_messages
    for each row execute function jobs.raise_row_event('text_message.requested', 'text_message_id');
