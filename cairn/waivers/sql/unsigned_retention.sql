-- Erases up to `up_to` sessions that were never signed and that expired or were cancelled longer ago than `kept_for`. Returns how
-- many were erased. The recipient, the messages and the details of the history are removed; the history itself stays, and can
-- still be verified. A session that was replaced by another one is erased only after that one. If that one was signed, both are
-- erased together with its waiver.
create or replace function waivers.erase_unsigned(up_to int, kept_for interval) returns int
    language plpgsql security definer set search_path = '' as $$
declare
    session waivers.sessions;
    erased  int := 0;
begin
    for session in
        select * from waivers.sessions s
         where s.status in ('pending', 'cancelled') and s.erased_at is null
           and coalesce(s.cancelled_at, s.expires_at) < now() - kept_for and waivers.has_details(s.id)
           and (s.replaced_by is null
                or exists (select from waivers.sessions r
                            where r.id = s.replaced_by and r.status in ('pending', 'cancelled')
                              and not waivers.has_details(r.id)))
         limit up_to for update skip locked loop
        perform waivers.erase_unsigned_session(session, jsonb_build_object(
            'cause', 'retention', 'reason', format('Not signed within %s days', extract(days from kept_for))));
        erased := erased + 1;
    end loop;
    return erased;
end
$$;
grant execute on function waivers.erase_unsigned to service_role;

-- Erases the recipient and the details of the history of a session without a signed waiver. `origin` is the cause and the reason,
-- which the history shows.
create or replace function waivers.erase_unsigned_session(session waivers.sessions, origin jsonb) returns void
    language plpgsql set search_path = '' as $$
begin
    perform waivers.erase_recipient(session);
    perform waivers.upgrade_history(session);
    -- There is no waiver, so the details of all events are erased.
    perform waivers.append_audit(session, 'session.erased', origin || jsonb_build_object(
        'erased_events', waivers.erase_event_details(null, session.id, is_last => true, is_recipient => true)));
    update waivers.sessions s set erased_at = clock_timestamp() where s.id = session.id;
end
$$;

-- True if the history of the session has an event whose details are not erased. If someone opened the link after the
-- session was erased, the session is erased again.
create or replace function waivers.has_details(session uuid) returns boolean
    language sql stable set search_path = '' as $$
    select exists (select from waivers.audit_events e
                    where e.session_id = session and not e.is_erased
                      and e.name not in ('waiver.erased', 'session.erased', 'session.upgraded'))
$$;
