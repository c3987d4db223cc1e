-- Returns the newest sending of a session. Only that one shows the outcome of messages: a company can record any number of sendings
-- of one session, and otherwise each message would change all of them.
create or replace function waivers.newest_sending(session uuid, company uuid) returns uuid
    language sql stable security definer set search_path = ''
    return (select w.id from public.sent_waivers w where w.session_id = session and w.company_id = company
             order by w.sent_at desc, w.id desc limit 1);

-- Sending again sets the status back to sending, whatever the outcome of the previous email.
create or replace function waivers.begin_sending() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update public.sent_waivers set email_status = 'sending', email_error = null
     where id = waivers.newest_sending(new.session_id, new.company_id) and email_status <> 'sending';
    return null;
end
$$;

create or replace trigger begin_sending after insert on public.emails
    for each row when (new.session_id is not null and new.kind = 'message') execute function waivers.begin_sending();

-- The worker sets the outcome of an email, which is copied to the sending. Reminders do not change the sending. An email
-- that bounces later changes the sending too, unless the waiver was sent again in the meantime. If an email was cancelled,
-- because its waiver was cancelled, the sending has failed, with that reason.
create or replace function waivers.follow_email() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update public.sent_waivers
       set email_status = case new.status when 'cancelled' then 'failed' else new.status end,
           email_message_id = new.message_id, email_error = new.error
     where id = waivers.newest_sending(new.session_id, new.company_id)
       and (old.status = 'sending' or (email_status = old.status and email_message_id = old.message_id));
    return null;
end
$$;
grant execute on function waivers.follow_email to public;

create or replace trigger follow_email after update of status on public.emails
    for each row when (new.session_id is not null and new.kind = 'message') execute function waivers.follow_email();

-- The outcome of the newest text message is copied to the sending.
create or replace function waivers.follow_text() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    update public.sent_waivers
       set recipient_phone = '+' || new.recipient, text_status = new.status, text_error = new.error
     where id = waivers.newest_sending(new.session_id, new.company_id);
    return null;
end
$$;

create or replace trigger follow_text after insert or update of status on public.text_messages
    for each row when (new.session_id is not null and new.company_id is not null) execute function waivers.follow_text();

-- Called by the browser if its request to send was rejected: without an email row, no outcome would ever be recorded.
create or replace function public.note_failed_sending(session_id uuid, reason text) returns void
    language sql security definer set search_path = '' as $$
    update public.sent_waivers w set email_status = 'failed', email_error = left(reason, 1000)
     where w.session_id = $1 and w.company_id = accounts.my_company() and w.email_status = 'sending'
       and not messaging.has_email($1, w.company_id)
$$;
grant execute on function public.note_failed_sending to authenticated;

-- The people of a suspended company cannot send waivers.
create or replace trigger refuse_suspended before insert on public.sent_waivers
    for each statement execute function accounts.refuse_suspended_statement();
