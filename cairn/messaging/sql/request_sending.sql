-- The names in a message may have been stored before names were cleaned, so the message is cleaned as well.

create or replace trigger clean_lines before insert on public.emails
    for each row execute function cairn.clean_columns('line', 'subject', 'sender_name');

create or replace trigger clean_texts before insert on public.emails
    for each row execute function cairn.clean_columns('text', 'body');

create or replace trigger clean_texts before insert on public.text_messages
    for each row execute function cairn.clean_columns('text', 'body');

-- These events make the worker send a new email or text message.

create or replace trigger email_requested after insert on public.emails
    for each row execute function jobs.raise_row_event('email.requested', 'email_id', 'with company');

create or replace trigger text_message_requested after insert on public.text_messages
    for each row execute function jobs.raise_row_event('text_message.requested', 'text_message_id', 'with company');
