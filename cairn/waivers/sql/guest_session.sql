-- Opens a session of a company for a guest who has no link of their own yet, and returns its id. The caller, another package, has
-- decided that the guest may open it.
create or replace function waivers.open_guest_session(company uuid, template text) returns uuid
    language plpgsql set search_path = '' as $$
declare
    session waivers.sessions;
begin
    if accounts.is_suspended(company) then
        perform waivers.refuse('company_not_accepting');
    end if;
    insert into waivers.sessions as s
           (company_id, template_id, template_name, template_description, template_content, status, expires_at, copy_on_request, form)
    -- The trigger apply_link_days replaces the default of 30 days by the number of days that the company has chosen.
    select company, t.id, t.name, t.description, t.content, 'pending', now() + interval '30 days', t.company_id is null, t.form
      from public.waiver_templates t where t.id = template and (t.company_id = company or t.company_id is null)
    returning * into session;
    if session.id is null then
        perform waivers.refuse('template_not_found');
    end if;
    perform waivers.append_audit(session, 'session.opened', waivers.request_origin());
    return session.id;
end
$$;
