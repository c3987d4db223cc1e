-- Erases everything that a company has sent and that its guests have signed, because the company is deleted. What stays are the
-- histories without their details, and the signed heads, so that an exported evidence pack can still be verified.

create or replace function waivers.count_held(company uuid) returns bigint
    language sql stable security definer set search_path = ''
    begin atomic
        select count(*) from waivers.signed w where w.company_id = company and w.held_since is not null and w.erased_at is null;
    end;
grant execute on function waivers.count_held to service_role;

-- Deletes the templates of a company, so that no one can open a session any more.
create or replace function waivers.delete_templates(company uuid) returns void
    language sql security definer set search_path = ''
    begin atomic
        delete from public.waiver_template_versions v where v.company_id = company;
        delete from public.waiver_templates t where t.company_id = company;
    end;
grant execute on function waivers.delete_templates to service_role;

-- Cancels up to `up_to` open sessions of a company, so that nothing is signed meanwhile. If none is open, erases up to `up_to`
-- waivers or sessions. Returns how many were cancelled or erased. A waiver on hold is never erased.
create or replace function waivers.erase_company_waivers(company uuid, up_to int) returns bigint
    language plpgsql security definer set search_path = '' as $$
declare
    done bigint;
begin
    with open_sessions as (
        select s.id from waivers.sessions s
         where s.company_id = company and s.status in ('pending', 'template_default') limit up_to for update)
    update waivers.sessions s set status = 'cancelled', cancelled_at = clock_timestamp() from open_sessions o where s.id = o.id;
    get diagnostics done = row_count;
    if done = 0 then
        done := waivers.erase_signed_waivers_of(company, up_to);
    end if;
    if done = 0 then
        done := waivers.erase_unsigned_sessions_of(company, up_to);
    end if;
    return done;
end
$$;
grant execute on function waivers.erase_company_waivers to service_role;

create or replace function waivers.erase_signed_waivers_of(company uuid, up_to int) returns bigint
    language plpgsql set search_path = '' as $$
declare
    waiver_id uuid;
    erased    bigint := 0;
begin
    for waiver_id in select w.id from waivers.signed w
                      where w.company_id = company and w.erased_at is null and w.held_since is null limit up_to loop
        perform waivers.erase(waivers.lock_waiver(waiver_id), waivers.company_deletion());
        erased := erased + 1;
    end loop;
    return erased;
end
$$;

-- Every erasure has a cause and a reason, which the history shows.
create or replace function waivers.company_deletion() returns jsonb
    language sql immutable
    return jsonb_build_object('cause', 'company deleted', 'reason', 'The owner deleted the account of the company');
grant execute on function waivers.company_deletion to public;

-- Erases up to `up_to` sessions that were never signed. If none is left, erases the texts and forms of up to `up_to` sessions, except
-- those of waivers on hold.
create or replace function waivers.erase_unsigned_sessions_of(company uuid, up_to int) returns bigint
    language plpgsql set search_path = '' as $$
declare
    session waivers.sessions;
    erased  bigint := 0;
begin
    for session in
        select * from waivers.sessions s
         where s.company_id = company and s.status = 'cancelled' and s.erased_at is null and waivers.has_details(s.id)
           and not exists (select from waivers.signed w where w.session_id = s.id)
         limit up_to for update loop
        perform waivers.erase_unsigned_session(session, waivers.company_deletion());
        erased := erased + 1;
    end loop;
    if erased = 0 then
        update waivers.sessions s set template_description = '', template_content = '', form = null
         where s.id in (select t.id from waivers.sessions t
                         where t.company_id = company and (t.template_content <> '' or t.form is not null)
                           and not exists (select from waivers.signed w where w.session_id = t.id and w.erased_at is null)
                         limit up_to);
        get diagnostics erased = row_count;
    end if;
    return erased;
end
$$;

-- Deletes up to `up_to` rows of each other table about a company that is deleted, and returns how many these were.
create or replace function waivers.delete_company_data(company uuid, up_to int) returns bigint
    language plpgsql security definer set search_path = '' as $$
declare
    deleted bigint;
    total   bigint := 0;
begin
    delete from public.sent_waivers s
     where s.id in (select n.id from public.sent_waivers n where n.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    total := total + deleted;
    delete from waivers.reminders r
     where r.id in (select n.id from waivers.reminders n where n.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    total := total + deleted;
    delete from waivers.planned_erasures p
     where p.waiver_id in (select n.waiver_id from waivers.planned_erasures n where n.company_id = company limit up_to);
    get diagnostics deleted = row_count;
    total := total + deleted;
    delete from waivers.reminder_refusals r where r.company_id = company;
    delete from waivers.erasure_requests r where r.company_id = company;
    delete from waivers.storage_quotas_reached q where q.company_id = company;
    return total;
end
$$;
grant execute on function waivers.delete_company_data to service_role;
