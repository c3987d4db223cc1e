-- Corrects the name or the email address of a recipient who has not signed yet; null leaves one of them as it is. A new
-- session replaces the old one, whose link no longer works. Returns the id of the new session, which the client then sends
-- with `send-email`, like the first one.
create or replace function public.correct_recipient(session_id uuid, name text, email text) returns uuid
    language plpgsql security definer set search_path = '' as $$
declare
    session   waivers.sessions := waivers.lock_unsigned_session(session_id);
    corrected waivers.sessions := session;
begin
    -- An expired session that was sent again has a newer link already, and that one is corrected.
    if session.replaced_by is not null then
        return public.correct_recipient(session.replaced_by, name, email);
    end if;
    corrected.recipient_name := coalesce(cairn.clean_line(name), session.recipient_name);
    corrected.recipient_email := coalesce(cairn.clean_address(email), session.recipient_email);
    perform waivers.check_recipient(corrected);
    if (corrected.recipient_name, corrected.recipient_email)
       is not distinct from (session.recipient_name, session.recipient_email) then
        perform waivers.refuse('recipient_unchanged');
    end if;
    update waivers.sessions set status = 'cancelled', cancelled_at = clock_timestamp() where id = session.id;
    return waivers.replace_session(corrected, 'recipient.corrected');
end
$$;
grant execute on function public.correct_recipient to authenticated;

create or replace function waivers.check_recipient(session waivers.sessions) returns void
    language plpgsql stable set search_path = '' as $$
begin
    if coalesce(session.recipient_name, '') = '' or coalesce(session.recipient_email, '') = '' then
        perform waivers.refuse('recipient_required');
    end if;
    if session.recipient_email !~ '.@.' or length(session.recipient_email) > 320 then
        perform waivers.refuse('recipient_email_incomplete');
    end if;
    if not cairn.is_one_address(session.recipient_email) then
        perform waivers.refuse('email_address_not_single');
    end if;
    if length(session.recipient_name) > 400 then
        perform waivers.refuse('recipient_name_too_long');
    end if;
end
$$;

-- Returns the session whose link is sent when a waiver is sent again. As long as the link works it is the same session.
-- After its expiry it is a new one.
create or replace function public.resend_waiver(session_id uuid) returns uuid
    language plpgsql security definer set search_path = '' as $$
declare
    session waivers.sessions := waivers.lock_unsigned_session(session_id);
begin
    -- A repeated request finds the session that the first request opened.
    if session.replaced_by is not null then
        return public.resend_waiver(session.replaced_by);
    end if;
    if session.expires_at is null or session.expires_at > now() then
        return session.id;
    end if;
    if session.recipient_email is null then
        perform waivers.refuse('recipient_required');
    end if;
    return waivers.replace_session(session, 'session.renewed');
end
$$;
grant execute on function public.resend_waiver to authenticated;

-- Opens a session with the same text and a new link, records that it is sent, and returns its id. `session` is a copy of the old
-- session, in which the caller has already set the new recipient. Both histories name the act and the other session, but no
-- address: a stranger may have the old link.
create or replace function waivers.replace_session(session waivers.sessions, act text) returns uuid
    language plpgsql set search_path = '' as $$
declare
    max_links constant int := 20;
    old_id uuid := session.id;
    origin jsonb := waivers.act_origin();
begin
    -- All replaced sessions are erased together with the last one, in one transaction, so their number is limited.
    if (select count(*) from waivers.replaced_sessions(old_id)) >= max_links then
        perform waivers.refuse('waiver_replaced_too_often', jsonb_build_object('max_links', max_links));
    end if;
    session.id := gen_random_uuid();
    update waivers.sessions set replaced_by = session.id where id = old_id;
    session.status := 'pending';
    session.created_at := now();
    -- The trigger apply_link_days replaces this default by the number of days that the company has chosen.
    session.expires_at := now() + interval '30 days';
    insert into waivers.sessions select session.*;
    insert into public.sent_waivers (company_id, session_id, template_id, template_name, template_content,
                                     recipient_name, recipient_email, status, sent_as_pdf)
    select session.company_id, session.id, session.template_id, session.template_name, session.template_content,
           coalesce(session.recipient_name, ''), session.recipient_email, case when as_pdf then 'sent_pdf' else 'pending' end,
           as_pdf
      from (select exists (select from public.sent_waivers w where w.session_id = old_id and w.sent_as_pdf)) former (as_pdf);

    perform waivers.append_audit(s, act, origin || jsonb_build_object('replaced_by', session.id))
       from waivers.sessions s where s.id = old_id;
    perform waivers.append_audit(session, 'session.opened', waivers.request_origin());
    perform waivers.append_audit(session, act, origin || jsonb_build_object('replaces', old_id));
    return session.id;
end
$$;
