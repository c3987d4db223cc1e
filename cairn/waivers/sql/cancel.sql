-- Cancels a session that is not signed yet. Its link then says so, and no further email or reminder is sent about it.
create or replace function public.cancel_waiver(session_id uuid, reason text) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    session      waivers.sessions := waivers.lock_unsigned_session(session_id);
    clean_reason text := waivers.clean_reason(reason);
begin
    update waivers.sessions set status = 'cancelled', cancelled_at = clock_timestamp() where id = session.id;
    perform waivers.append_audit(session, 'waiver.cancelled',
                                 waivers.act_origin() || jsonb_build_object('reason', clean_reason));
end
$$;
grant execute on function public.cancel_waiver to authenticated;

-- Returns a session of the caller's company that can still be cancelled or corrected. The lock makes a guest who signs at the
-- same moment wait, so that only one of the two succeeds.
create or replace function waivers.lock_unsigned_session(wanted uuid) returns waivers.sessions
    language plpgsql set search_path = '' as $$
declare
    company uuid := waivers.acting_company();
    session waivers.sessions;
begin
    select * into session from waivers.sessions s where s.id = wanted and s.company_id = company for update;
    if session.id is null then
        perform waivers.refuse('session_not_found');
    end if;
    case session.status
        when 'signed' then perform waivers.refuse('waiver_already_signed');
        when 'template_default' then perform waivers.refuse('template_link_not_changeable');
        when 'cancelled' then perform waivers.refuse('waiver_cancelled');
        else null;
    end case;
    return session;
end
$$;
