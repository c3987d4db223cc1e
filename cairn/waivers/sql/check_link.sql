-- Refuses a session whose link can no longer be used, neither to sign nor to invite someone.
create or replace function waivers.check_link(session waivers.sessions) returns void
    language plpgsql set search_path = '' as $$
begin
    if session.status = 'template_default' then
        perform waivers.refuse('session_is_template_default');
    end if;
    if session.status = 'cancelled' then
        perform waivers.refuse('waiver_cancelled');
    end if;
    if accounts.is_suspended(session.company_id) then
        perform waivers.refuse('company_not_accepting');
    end if;
    -- A signed session can be signed again, but only until it expires.
    if session.expires_at <= clock_timestamp() then
        perform waivers.refuse('waiver_expired', jsonb_build_object('expires_at', session.expires_at));
    end if;
    -- The recipient of an erased waiver is erased too, so the link is no longer anyone's. Nearly all sessions are signed once, and
    -- the first signature does not pay for this query.
    if session.status = 'signed' and waivers.are_all_waivers_erased(session) then
        perform waivers.refuse('link_erased');
    end if;
end
$$;
