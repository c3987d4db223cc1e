-- Erases a signed waiver because the person asked for it. Their name, address, signature, document and messages are removed.
-- What stays are ids, times and hashes, and an event that says who erased it, when and why, so that the history can still be
-- verified.
create or replace function public.erase_waiver(waiver_id uuid, reason text) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    waiver       waivers.signed := waivers.lock_waiver_of_company(waiver_id);
    clean_reason text := waivers.clean_reason(reason);
begin
    perform waivers.check_erasable(waiver, clean_reason);
    perform waivers.erase(waiver, waivers.act_origin() || jsonb_build_object('cause', 'request', 'reason', clean_reason));
end
$$;
grant execute on function public.erase_waiver to authenticated;

-- True if the whole name is in the text. A name of one word does not count, because it may be a common word, such as "Will".
create or replace function waivers.contains_name(text text, name text) returns boolean
    language sql immutable
    return name ~ '[[:alnum:]][^[:alnum:]]+[[:alnum:]]' and position(
        regexp_replace(lower(' ' || name || ' '), '[^[:alnum:]]+', ' ', 'g')
        in regexp_replace(lower(' ' || text || ' '), '[^[:alnum:]]+', ' ', 'g')) > 0;
grant execute on function waivers.contains_name to public;

-- Refuses to erase a waiver on legal hold. The reason stays after the erasure, so it must not name the people of
-- the waiver.
create or replace function waivers.check_erasable(waiver waivers.signed, clean_reason text) returns void
    language plpgsql stable set search_path = '' as $$
begin
    if waiver.held_since is not null then
        perform waivers.refuse('waiver_is_held');
    end if;
    if waivers.contains_name(clean_reason, waiver.signer_name)
       or position(lower(waiver.signer_email) in lower(clean_reason)) > 0
       or exists (select from waivers.participants p
                   where p.waiver_id = waiver.id and waivers.contains_name(clean_reason, p.name)) then
        perform waivers.refuse('reason_names_the_signer');
    end if;
end
$$;

-- Erases a waiver whose session the caller has locked. `act` says who erased it and why. The worker then deletes the file of
-- the document.
create or replace function waivers.erase(waiver waivers.signed, act jsonb) returns void
    language plpgsql set search_path = '' as $$
declare
    -- True if no other waiver of the session is left. Several people may have signed the session. What is known about all of them
    -- together is erased with the last waiver.
    is_last boolean := not exists (select from waivers.signed w
                                    where w.session_id = waiver.session_id and w.id <> waiver.id and w.erased_at is null);
    erasure jsonb := act || jsonb_strip_nulls(jsonb_build_object(
        'waiver_id', waiver.id, 'record_sha256', encode(waiver.record_sha256, 'hex'),
        'document_sha256', waiver.document_sha256));
    session      waivers.sessions;
    -- True if the link was sent to this person, no one else who signed it gave the same address, and no other waiver of the link
    -- is held. What was sent is also evidence for a held waiver.
    is_recipient boolean;
begin
    -- The trigger `keep_signed` removes what is known about the person.
    update waivers.signed w set erased_at = clock_timestamp() where w.id = waiver.id;
    perform waivers.erase_participants(waiver.id);
    delete from waivers.document_links l where l.waiver_id = waiver.id;
    delete from waivers.document_failures f where f.waiver_id = waiver.id;
    delete from waivers.copy_requests r where r.waiver_id = waiver.id;
    perform waivers.forget_address(waiver.company_id, waiver.signer_email);
    perform messaging.erase_messages(waiver.company_id, about => waiver.id, session => null);
    -- With an array of ids, PostgreSQL uses the primary key. A condition with `or` would read the sessions of all companies.
    for session in select * from waivers.sessions s
                    where s.id = any (array(select waiver.session_id
                                            union all select waivers.replaced_sessions(waiver.session_id) where is_last))
                    order by s.id for update loop
        is_recipient := lower(session.recipient_email) = lower(waiver.signer_email)
            and not exists (select from waivers.signed w
                             where w.session_id = waiver.session_id and w.erased_at is null
                               and (w.held_since is not null or lower(w.signer_email) = lower(waiver.signer_email)));
        if is_last or is_recipient then
            perform waivers.erase_recipient(session);
        end if;
        -- Erasing the messages may have appended events, so the details of the events are erased after the messages.
        perform waivers.upgrade_history(session);
        perform waivers.append_audit(session, 'waiver.erased', erasure || jsonb_build_object(
            'erased_events', waivers.erase_event_details(waiver, session.id, is_last, coalesce(is_recipient, false))));
        -- The sweep of sessions without a signature need not read this one again.
        update waivers.sessions s set erased_at = clock_timestamp() where s.id = session.id and is_last and s.status = 'cancelled';
    end loop;
    perform jobs.raise_event('waiver.erased', jsonb_build_object(
        'waiver_id', waiver.id, 'company_id', waiver.company_id));
end
$$;

-- Returns the sessions that this one replaced, because the recipient was corrected or the link had expired.
create or replace function waivers.replaced_sessions(session uuid) returns setof uuid
    language sql stable set search_path = '' as $$
    with recursive replaced as (
        select s.id from waivers.sessions s where s.replaced_by = session
        union
        select s.id from waivers.sessions s join replaced r on s.replaced_by = r.id)
    select id from replaced
$$;

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

-- The company no longer knows the address, so it also forgets whether emails to it came back, and who requested an erasure. If the
-- person wants no reminders, that is kept with a hash instead of the address.
create or replace function waivers.forget_address(company uuid, address text) returns void
    language plpgsql set search_path = '' as $$
begin
    with refusal as (
        delete from waivers.reminder_refusals r where r.company_id = company and r.email = lower(address) returning r.*)
    insert into waivers.reminder_refusals (company_id, email, since)
    select f.company_id, messaging.address_hash(f.company_id, f.email), f.since from refusal f
    on conflict do nothing;
    perform messaging.forget_suppression(company, lower(address));
    perform waivers.close_erasure_requests(company, lower(address));
end
$$;

-- Erases the details of the events of a session about this waiver, except ids and hashes, which name no one. An event that names
-- no waiver, such as an opened link, may be evidence for several signatures. It is erased with the last waiver of the session.
-- Before that, it is erased only if no waiver of the session is held, and if it has the IP address or the email address of this
-- signer alone. `is_recipient` says that the link was sent to the signer, so all messages went to them. Events of earlier
-- erasures stay. Returns the positions in the history, counted from 1, of the erased events that name no waiver.
create or replace function waivers.erase_event_details(
    waiver waivers.signed, session uuid, is_last boolean, is_recipient boolean) returns jsonb
    language sql set search_path = '' as $$
    with others as (
        select * from waivers.signed w
         where w.session_id = (waiver).session_id and w.id <> (waiver).id and w.erased_at is null
    ), events as (
        select e.id, row_number() over (order by e.id) as position from waivers.audit_events e where e.session_id = session
    ), erased as (
        update waivers.audit_events e
           set is_erased = true, salt = null, details_sha256 = waivers.private_hash(e),
               details = waivers.public_details(e.details)
         where e.session_id = session and not e.is_erased
           and e.name not in ('waiver.erased', 'session.erased', 'session.upgraded')
           and case when e.details ? 'waiver_id' then e.details ->> 'waiver_id' = (waiver).id::text
                    else is_last or not exists (select from others o where o.held_since is not null)
                         and (is_recipient and e.details ? 'recipient'
                              or e.details ->> 'ip' = (waiver).ip
                                 and not exists (select from others o where o.ip = (waiver).ip)
                              or lower(e.details ->> 'recipient') = lower((waiver).signer_email)
                                 and not exists (select from others o where lower(o.signer_email) = lower((waiver).signer_email)))
               end
        returning e.id, e.details)
    select coalesce(jsonb_agg(events.position order by events.position), '[]')
      from erased join events using (id) where not erased.details ? 'waiver_id'
$$;
