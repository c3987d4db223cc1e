-- Erases a signed waiver because the person asked for it. Their name, address, signature, document and messages are removed.
-- What stays are ids, times and hashes, and an event that says who erased it, when and why, so that the history can still be
-- verified.
create or replace function public.erase_waiver(waiver_id uuid, reason text) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    waiver       waivers.signed := waivers.lock_waiver_of_company(waiver_id);
    clean_reason text := waivers.clean_reason(reason);
begin
    if waiver.held_since is not null then
        perform waivers.refuse('waiver_is_held');
    end if;
    -- The reason stays after the erasure.
    if position(lower(waiver.signer_name) in lower(clean_reason)) > 0
       or position(lower(waiver.signer_email) in lower(clean_reason)) > 0 then
        perform waivers.refuse('reason_names_the_signer');
    end if;
    perform waivers.erase(waiver, waivers.act_origin() || jsonb_build_object('cause', 'request', 'reason', clean_reason));
end
$$;
revoke execute on function public.erase_waiver from public;
grant execute on function public.erase_waiver to authenticated;

-- Erases a waiver whose session the caller has locked. `act` says who erased it and why. The worker then deletes the file of
-- the document.
create or replace function waivers.erase(waiver waivers.signed, act jsonb) returns void
    language plpgsql set search_path = '' as $$
declare
    -- The link of a template may have been signed by several people. What is known about all of them is erased with the last.
    is_last boolean := not exists (select from waivers.signed w
                                    where w.session_id = waiver.session_id and w.id <> waiver.id and w.erased_at is null);
    erasure jsonb := act || jsonb_strip_nulls(jsonb_build_object(
        'waiver_id', waiver.id, 'record_sha256', encode(waiver.record_sha256, 'hex'),
        'document_sha256', waiver.document_sha256));
    session waivers.sessions;
begin
    -- The trigger `keep_signed` removes what is known about the person.
    update waivers.signed w set erased_at = clock_timestamp() where w.id = waiver.id;
    delete from waivers.document_links l where l.waiver_id = waiver.id;
    delete from waivers.document_failures f where f.waiver_id = waiver.id;
    delete from waivers.copy_requests r where r.waiver_id = waiver.id;
    perform waivers.forget_address(waiver.company_id, waiver.signer_email);
    perform messaging.erase_messages(waiver.company_id, about => waiver.id, session => null);
    for session in select * from waivers.sessions s
                    where s.id = waiver.session_id or is_last and s.id in (select waivers.replaced_sessions(waiver.session_id))
                    order by s.id for update loop
        if is_last or lower(session.recipient_email) = lower(waiver.signer_email) then
            perform waivers.erase_recipient(session);
        end if;
        -- Erased messages may have appended events, so the details of the events are erased after that.
        perform waivers.erase_event_details(waiver, session.id, is_last);
        perform waivers.append_audit(session, 'waiver.erased', erasure);
    end loop;
    perform jobs.raise_event('waiver.erased', jsonb_build_object(
        'waiver_id', waiver.id, 'company_id', waiver.company_id));
end
$$;
revoke execute on function waivers.erase from public;

-- Returns the sessions that this one replaced, because the recipient was corrected or the link had expired.
create or replace function waivers.replaced_sessions(session uuid) returns setof uuid
    language sql stable set search_path = '' as $$
    with recursive replaced as (
        select s.id from waivers.sessions s where s.replaced_by = session
        union
        select s.id from waivers.sessions s join replaced r on s.replaced_by = r.id)
    select id from replaced
$$;
revoke execute on function waivers.replaced_sessions from public;

-- Erases to whom a waiver was sent, and the messages about it.
create or replace function waivers.erase_recipient(session waivers.sessions) returns void
    language plpgsql set search_path = '' as $$
begin
    perform waivers.forget_address(session.company_id, session.recipient_email);
    update waivers.sessions s set recipient_name = null, recipient_email = null where s.id = session.id;
    update public.sent_waivers s
       set recipient_name = '(erased)', recipient_email = '(erased)', recipient_phone = null, email_error = null,
           text_error = null
     where s.session_id = session.id;
    perform billing.erase_recipients(session.id);
    perform messaging.erase_messages(session.company_id, about => null, session => session.id);
end
$$;
revoke execute on function waivers.erase_recipient from public;

-- The company no longer knows the address, so it also forgets whether emails to it came back. That reminders are unwanted is kept
-- with a hash instead of the address.
create or replace function waivers.forget_address(company uuid, address text) returns void
    language plpgsql set search_path = '' as $$
begin
    with refusal as (
        delete from waivers.reminder_refusals r where r.company_id = company and r.email = lower(address) returning r.*)
    insert into waivers.reminder_refusals (company_id, email, since)
    select f.company_id, messaging.address_hash(f.company_id, f.email), f.since from refusal f
    on conflict do nothing;
    perform messaging.forget_suppression(company, lower(address));
end
$$;
revoke execute on function waivers.forget_address from public;

-- Erases the details of the events of a session about this waiver, except ids and hashes, which name no one. Events that name
-- no waiver, such as an opened link, are erased with the last waiver of the session, or if they have the signer's IP address or
-- name the signer. Events of earlier erasures stay.
create or replace function waivers.erase_event_details(waiver waivers.signed, session uuid, is_last boolean) returns void
    language sql set search_path = '' as $$
    update waivers.audit_events e
       set is_erased = true, salt = null,
           details_sha256 = case when e.version > 1 then waivers.details_hash(e.salt, e.details) end,
           details = (select coalesce(jsonb_object_agg(d.key, d.value), '{}') from jsonb_each(e.details) d
                       where d.key in ('waiver_id', 'email_id', 'text_id', 'replaces', 'replaced_by', 'superseded_by',
                                       'record_sha256', 'document_sha256', 'certificate_sha256'))
     where e.session_id = session and not e.is_erased and e.name <> 'waiver.erased'
       and case when e.details ? 'waiver_id' then e.details ->> 'waiver_id' = waiver.id::text
                else is_last or e.details ->> 'ip' = waiver.ip
                     or position(lower(waiver.signer_email) in lower(e.details::text)) > 0
                     or position(lower(waiver.signer_name) in lower(e.details::text)) > 0 end
$$;
revoke execute on function waivers.erase_event_details from public;
