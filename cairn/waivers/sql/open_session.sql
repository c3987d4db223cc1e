-- Opening a session is one insert into public.waiver_sessions.

-- The signature and the signer come from the session's first signed record. A visitor who only has the link may not read
-- that record, so row-level security makes these columns null for them.
create or replace view public.waiver_sessions with (security_invoker = true) as
    select s.id, s.template_id, s.recipient_name, s.recipient_email, s.status, s.template_content, s.created_at,
           w.signed_at, w.signature, w.signer_name, w.signer_email,
           s.company_id, s.template_name, s.template_description, s.expires_at,
           accounts.company_name(s.company_id) as company_name, s.cancelled_at,
           -- A session that was signed again counts as signed until all of its waivers are revoked.
           case when w.revoked_at is not null
                     and not exists (select from waivers.signed v where v.session_id = s.id and v.revoked_at is null)
                then w.revoked_at end as revoked_at,
           s.form
      from waivers.sessions s
      left join waivers.signed w on w.id = s.first_waiver_id;
grant select, insert, update on public.waiver_sessions to anon, authenticated, service_role;

create or replace function waivers.open_session() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    company    uuid := accounts.my_company();
    is_visitor boolean := company is null and auth.role() is distinct from 'service_role';
    template   public.waiver_templates;
    session    waivers.sessions;
begin
    new.template_id := cairn.clean_line(new.template_id);
    new.recipient_email := nullif(cairn.clean_address(new.recipient_email), '');
    if not cairn.is_one_address(new.recipient_email) then
        perform waivers.refuse('email_address_not_single');
    end if;
    select * into template from public.waiver_templates t
     where t.id = new.template_id and (t.company_id is null or company is null or t.company_id = company);
    new.status := coalesce(new.status, 'pending');
    if new.status not in ('pending', 'template_default') then
        perform waivers.refuse('session_status_invalid');
    end if;

    if is_visitor then
        if new.recipient_name is not null or new.recipient_email is not null or new.status = 'template_default' then
            perform waivers.refuse('sending_needs_company');
        end if;
        if template.id is null then
            perform waivers.refuse('template_not_found');
        end if;
        -- A signer cannot change the text that they sign.
        new.template_content := template.content;
        -- A sample template has no company, so the link names the company that shared it.
        company := coalesce(template.company_id,
                            case when accounts.company_exists(new.company_id) then new.company_id end);
    elsif company is null then
        company := new.company_id;
    end if;
    if accounts.is_suspended(company) then
        perform accounts.refuse_suspended();
        perform waivers.refuse('company_not_accepting');
    end if;

    insert into waivers.sessions as s
           (id, company_id, template_id, template_name, template_description, template_content,
            recipient_name, recipient_email, status, expires_at, copy_on_request, form)
    values (coalesce(new.id, gen_random_uuid()), company, new.template_id,
            cairn.clean_line(coalesce(template.name, new.template_name, new.template_id)),
            cairn.clean_text(coalesce(template.description, '')),
            cairn.clean_text(coalesce(new.template_content, template.content, '')),
            nullif(cairn.clean_line(new.recipient_name), ''), new.recipient_email,
            new.status,
            case when new.status = 'pending' then now() + interval '30 days' end,
            -- Anyone can sign a sample with any address, so the copy is emailed only on request.
            is_visitor and template.company_id is null,
            template.form)
    on conflict do nothing
    returning * into session;

    if session.id is null then
        -- The session exists already, so the client has repeated its request. Either this is the default session of a
        -- template, or the client chose the id.
        select * into session from waivers.sessions s
         where s.company_id is not distinct from company and s.template_id = new.template_id
           and (s.id = new.id or (new.status = 'template_default' and s.status = 'template_default'));
        if session.id is null then
            perform waivers.refuse('session_id_taken');
        end if;
    else
        perform waivers.append_audit(session, 'session.opened', waivers.request_origin());
    end if;

    new.id := session.id;
    new.company_id := session.company_id;
    new.template_name := session.template_name;
    new.template_description := session.template_description;
    new.template_content := session.template_content;
    new.recipient_name := session.recipient_name;
    new.recipient_email := session.recipient_email;
    new.status := session.status;
    new.created_at := session.created_at;
    new.expires_at := session.expires_at;
    new.company_name := accounts.company_name(session.company_id);
    new.signed_at := null; new.signature := null; new.signer_name := null; new.signer_email := null;
    new.cancelled_at := session.cancelled_at; new.revoked_at := null;
    new.form := session.form;
    return new;
end
$$;
grant execute on function waivers.open_session to public;

create or replace trigger open_session instead of insert on public.waiver_sessions
    for each row execute function waivers.open_session();

-- A pending session is inserted with the default lifetime of thirty days. This trigger replaces it by the number of days
-- that the company has chosen.
create or replace function waivers.apply_link_days() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    new.expires_at := now() + make_interval(days => coalesce(accounts.link_days(new.company_id), 30));
    return new;
end
$$;

create or replace trigger apply_link_days before insert on waivers.sessions
    for each row when (new.status = 'pending' and new.expires_at = now() + interval '30 days')
    execute function waivers.apply_link_days();

-- Older clients also update the session's status after signing. The session is signed by then, so the update is ignored.
create or replace function waivers.keep_session() returns trigger
    language plpgsql as $$
begin
    if old.status <> 'signed' then
        perform waivers.refuse('session_not_signed');
    end if;
    return old;
end
$$;
grant execute on function waivers.keep_session to public;

create or replace trigger keep_session instead of update on public.waiver_sessions
    for each row execute function waivers.keep_session();

-- No role may delete sessions. Without this trigger, the error would only say that the view does not support it.
create or replace trigger refuse_delete instead of delete on public.waiver_sessions
    for each row execute function waivers.refuse_row('session_not_deletable');
