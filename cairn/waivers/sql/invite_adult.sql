-- An adult is never covered by the signature of someone else. A guest who adds one to their waiver invites them instead: this
-- function opens a session with the same text for the adult, and returns its id, which the client chooses. Idempotent by that id.
-- Anyone with the link of the first session may call it, so a session can invite only a few adults. Nothing is sent here: the guest
-- shows the link, or calls `send-invitation`. Both histories name the other session, and no person.
create or replace function public.invite_adult(session_id uuid, invited_id uuid, name text, birth_date date) returns uuid
    language plpgsql security definer set search_path = '' as $$
declare
    max_adults constant int := 10;
    origin     jsonb := waivers.act_origin();
    session    waivers.sessions;
    invited    waivers.sessions;
begin
    select * into session from waivers.sessions s where s.id = invite_adult.session_id for update;
    perform waivers.check_inviting_session(session);
    select * into invited from waivers.sessions s where s.id = invite_adult.invited_id;
    if invited.invited_by = session.id then
        return invited.id;
    end if;
    if invited.id is not null or invited_id is null then
        perform waivers.refuse('session_id_taken');
    end if;
    perform waivers.check_adult(session, cairn.clean_line(name), birth_date);
    if (select count(*) from waivers.sessions s where s.invited_by = session.id) >= max_adults then
        perform waivers.refuse('too_many_adults_invited', jsonb_build_object('max_adults', max_adults));
    end if;

    insert into waivers.sessions as s
           (id, company_id, template_id, template_name, template_description, template_content, template_version, form,
            recipient_name, status, expires_at, copy_on_request, invited_by)
    values (invite_adult.invited_id, session.company_id, session.template_id, session.template_name, session.template_description,
            session.template_content, session.template_version, session.form, cairn.clean_line(name), 'pending',
            -- The trigger apply_link_days replaces this default by the number of days that the company has chosen.
            now() + interval '30 days', session.copy_on_request, session.id)
    returning * into invited;
    perform waivers.append_audit(session, 'adult.invited', origin || jsonb_build_object('invites', invited.id));
    perform waivers.append_audit(invited, 'session.opened', waivers.request_origin());
    perform waivers.append_audit(invited, 'adult.invited', origin || jsonb_build_object('invited_by', session.id));
    return invited.id;
end
$$;
grant execute on function public.invite_adult to anon, authenticated, service_role;

-- Refuses a session whose link cannot be used, and one that covers no one but its signer.
create or replace function waivers.check_inviting_session(session waivers.sessions) returns void
    language plpgsql set search_path = '' as $$
begin
    if session.id is null then
        perform waivers.refuse('session_not_found');
    end if;
    perform waivers.check_link(session);
    if nullif(session.form #> '{covers,minors}', 'null') is null then
        perform waivers.refuse('participants_not_covered');
    end if;
end
$$;

-- Refuses a person without a name or a possible birth date, and a minor, for whom a guardian signs.
create or replace function waivers.check_adult(session waivers.sessions, name text, birth_date date) returns void
    language plpgsql stable set search_path = '' as $$
declare
    today date := accounts.today(session.company_id);
begin
    if coalesce(length(name) not between 1 and 400, true) then
        perform waivers.refuse('participant_name_required');
    end if;
    if not waivers.is_birth_date(to_jsonb(birth_date), today) then
        perform waivers.refuse('participant_birth_date_required');
    end if;
    if waivers.age_on(today, birth_date) < waivers.age_of_majority(session.form) then
        perform waivers.refuse('participant_is_minor');
    end if;
end
$$;

-- Locks a session, and returns what `send-invitation` has to know before it sends the link of the session. Returns no row unless
-- the session `inviting`, whose id only its guest and the company know, has invited this one, or `company` owns this one.
create or replace function waivers.lock_session_to_send(session uuid, inviting uuid, company uuid)
    returns table (id uuid, company_id uuid, company_name text, state text, is_suspended boolean, has_email boolean, has_text boolean)
    language plpgsql security definer set search_path = '' as $$
begin
    return query
    select s.id, s.company_id, accounts.company_name(s.company_id),
           case when s.status = 'pending' and s.expires_at <= now() then 'expired' else s.status end,
           accounts.is_suspended(s.company_id), s.recipient_email is not null,
           exists (select from waivers.audit_events e where e.session_id = s.id and e.name = 'text.requested')
      from waivers.sessions s
     where s.id = session and (s.invited_by = inviting or s.company_id = company)
       for update;
end
$$;
grant execute on function waivers.lock_session_to_send to service_role;

-- Records the address to which the link is emailed. The company sees it among its sendings. A session that the company has sent
-- to a minor keeps the address of the minor. Only a session that was opened in person has no name, and its link is emailed only to
-- a guardian.
create or replace function waivers.record_invited_email(session uuid, email text) returns void
    language sql security definer set search_path = ''
    begin atomic
        update waivers.sessions s set recipient_email = cairn.clean_address(email) where s.id = session and s.recipient_email is null;
        insert into public.sent_waivers (company_id, session_id, template_id, template_name, template_content,
                                         recipient_name, recipient_email)
        select s.company_id, s.id, s.template_id, s.template_name, s.template_content,
               coalesce(s.recipient_name, 'Parent or guardian'), cairn.clean_address(email)
          from waivers.sessions s where s.id = session;
    end;
grant execute on function waivers.record_invited_email to service_role;
