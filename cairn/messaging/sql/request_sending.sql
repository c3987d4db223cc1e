-- The names in a message may have been stored before names were cleaned, so the message is cleaned as well.

create or replace trigger clean_lines before insert on public.emails
    for each row execute function cairn.clean_columns('line', 'subject', 'sender_name');

create or replace trigger clean_texts before insert on public.emails
    for each row execute function cairn.clean_columns('text', 'body');

create or replace trigger clean_texts before insert on public.text_messages
    for each row execute function cairn.clean_columns('text', 'body');

-- These events make the worker send a new email or text message. Links and codes for signing in have their own events and
-- queue, so that no other message delays them.

create or replace trigger email_requested after insert on public.emails
    for each row when (not new.secret)
    execute function jobs.raise_row_event('email.requested', 'email_id', 'with company');

create or replace trigger sign_in_email_requested after insert on public.emails
    for each row when (new.secret)
    execute function jobs.raise_row_event('sign_in_email.requested', 'email_id', 'with company');

create or replace trigger text_message_requested after insert on public.text_messages
    for each row when (new.kind <> 'code')
    execute function jobs.raise_row_event('text_message.requested', 'text_message_id', 'with company');

create or replace trigger sign_in_text_requested after insert on public.text_messages
    for each row when (new.kind = 'code')
    execute function jobs.raise_row_event('sign_in_text.requested', 'text_message_id', 'with company');

-- Moves an email to the queue of its company's provider.
create or replace function messaging.move_email(email_id uuid, company_id uuid, provider text) returns void
    language plpgsql set search_path = '' as $$
declare
    payload jsonb := jsonb_build_object('email_id', email_id, 'company_id', company_id);
begin
    if provider = 'custom' then
        perform jobs.raise_event('endpoint_email.requested', payload);
    else
        perform jobs.raise_event('provider_email.requested', payload);
    end if;
end
$$;
grant execute on function messaging.move_email to service_role;
