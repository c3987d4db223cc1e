-- Records in the history of a session what happened to each message about it.

create or replace function waivers.audit_email() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    event text := case
        when tg_op = 'INSERT' and new.status <> 'cancelled' then 'email.requested'
        when new.status = 'delivered' then 'email.accepted'
        -- The mail server accepted the email at first.
        when new.status = 'failed' and old.status = 'delivered' then 'email.bounced'
        else 'email.' || new.status end;
begin
    perform waivers.audit_message(
        -- An email with the signer's copy names no session. Its attachment is the document of a waiver.
        coalesce(new.session_id, (select w.session_id from waivers.signed w where w.id = new.attachment_id)),
        new.company_id, event, jsonb_build_object(
            'email_id', new.id, 'email_kind', new.kind, 'recipient', new.recipient, 'message_id', new.message_id,
            'waiver_id', case when new.kind = 'copy' then new.attachment_id end, 'reason', left(new.error, 300)));
    return null;
end
$$;

create or replace trigger audit_new_email after insert on public.emails
    for each row when (new.kind in ('message', 'reminder') and new.session_id is not null
                       or new.kind = 'copy' and new.attachment_source = 'waiver-document')
    execute function waivers.audit_email();

create or replace trigger audit_email after update of status on public.emails
    for each row when (old.status <> new.status and new.status <> 'sending'
                       and (new.kind in ('message', 'reminder') and new.session_id is not null
                            or new.kind = 'copy' and new.attachment_source = 'waiver-document'))
    execute function waivers.audit_email();

-- Returns true if the history of a session already contains the maximum number of email events. A history is read as a whole
-- whenever it is checked, so its events must be limited. Locks the session, so that concurrent emails wait for each other.
create or replace function waivers.has_max_email_events(session uuid, max_events int) returns boolean
    language plpgsql security definer set search_path = '' as $$
begin
    perform from waivers.sessions s where s.id = session for update;
    return (select count(*) >= max_events
              from waivers.audit_events e where e.session_id = session and starts_with(e.name, 'email.'));
end
$$;
grant execute on function waivers.has_max_email_events to service_role;

create or replace function waivers.audit_text() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    event text := case when new.status = 'sending' then 'text.requested' else 'text.' || new.status end;
begin
    if tg_op = 'UPDATE' and old.status = new.status then
        return null;
    end if;
    perform waivers.audit_message(new.session_id, new.company_id, event, jsonb_build_object(
        'text_id', new.id, 'text_kind', new.kind, 'recipient', '+' || new.recipient,
        'message_id', new.message_id, 'reason', left(new.error, 300)));
    return null;
end
$$;

create or replace trigger audit_text after insert or update of status on public.text_messages
    for each row when (new.session_id is not null and new.company_id is not null)
    execute function waivers.audit_text();

-- Adds the event to the history of the session, unless the session belongs to another company, or waivers were signed with it and all
-- of them are erased. The session is locked, because `append_audit` needs that.
create or replace function waivers.audit_message(about uuid, company uuid, event text, details jsonb) returns void
    language plpgsql set search_path = '' as $$
declare
    session waivers.sessions;
begin
    select s.* into session from waivers.sessions s
     where s.id = about and s.company_id is not distinct from company for update;
    if found and not waivers.are_all_waivers_erased(session) then
        perform waivers.append_audit(session, event, jsonb_strip_nulls(details));
    end if;
end
$$;
