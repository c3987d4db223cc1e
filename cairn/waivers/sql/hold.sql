-- A legal hold keeps a signed waiver from being erased, by hand or by the retention of the company, until it is released.
create or replace function public.hold_waiver(waiver_id uuid, reason text) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    -- A history is read as a whole whenever it is checked, so its events must be limited.
    max_holds    constant int := 20;
    -- False if the company is being deleted, because no one could release the hold after that. The company is locked before the
    -- session, in the same order as by its deletion.
    can_be_held  boolean := accounts.block_company_deletion(waivers.acting_company());
    waiver       waivers.signed := waivers.lock_waiver_of_company(waiver_id);
    clean_reason text := waivers.clean_reason(reason);
begin
    if not can_be_held then
        perform waivers.refuse('waiver_already_erased');
    end if;
    if waiver.held_since is not null then
        perform waivers.refuse('waiver_already_held');
    end if;
    if waivers.count_holds(waiver) >= max_holds then
        perform waivers.refuse('waiver_held_too_often', jsonb_build_object('max_holds', max_holds));
    end if;
    update waivers.signed w set held_since = clock_timestamp() where w.id = waiver.id;
    perform waivers.append_act(waiver, 'waiver.held', clean_reason);
end
$$;
grant execute on function public.hold_waiver to authenticated;

-- Returns how often the waiver was put on hold. Holds that were released count too.
create or replace function waivers.count_holds(waiver waivers.signed) returns bigint
    language sql stable set search_path = ''
    return (select count(*) from waivers.audit_events e
             where e.session_id = waiver.session_id and e.name = 'waiver.held'
               and e.details ->> 'waiver_id' = waiver.id::text);

create or replace function public.release_hold(waiver_id uuid, reason text) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    waiver       waivers.signed := waivers.lock_waiver_of_company(waiver_id);
    clean_reason text := waivers.clean_reason(reason);
begin
    if waiver.held_since is null then
        perform waivers.refuse('waiver_not_held');
    end if;
    update waivers.signed w set held_since = null where w.id = waiver.id;
    perform waivers.append_act(waiver, 'hold.released', clean_reason);
end
$$;
grant execute on function public.release_hold to authenticated;

-- Returns a signed waiver of the caller's company that is not erased, and locks its session. `append_audit` needs that lock.
create or replace function waivers.lock_waiver_of_company(wanted uuid) returns waivers.signed
    language plpgsql set search_path = '' as $$
declare
    company uuid := waivers.acting_company();
    waiver  waivers.signed := waivers.lock_waiver(wanted);
begin
    if waiver.company_id is distinct from company then
        perform waivers.refuse('waiver_not_found');
    end if;
    if waiver.erased_at is not null then
        perform waivers.refuse('waiver_already_erased');
    end if;
    return waiver;
end
$$;

-- Locks the session of a signed waiver and returns it.
create or replace function waivers.lock_session_of(waiver_id uuid) returns waivers.sessions
    language sql set search_path = '' as $$
    select s.*
      from waivers.sessions s join waivers.signed w on w.session_id = s.id where w.id = lock_session_of.waiver_id for update of s
$$;

-- Returns a signed waiver. Its session is locked first, as when a guest signs, so that the two cannot deadlock.
create or replace function waivers.lock_waiver(wanted uuid) returns waivers.signed
    language plpgsql set search_path = '' as $$
declare
    waiver waivers.signed;
begin
    perform waivers.lock_session_of(wanted);
    select * into waiver from waivers.signed w where w.id = wanted;
    return waiver;
end
$$;

-- Appends what the company did with a signed waiver to its history.
create or replace function waivers.append_act(waiver waivers.signed, name text, reason text) returns void
    language plpgsql set search_path = '' as $$
declare
    session waivers.sessions;
begin
    select * into session from waivers.sessions s where s.id = waiver.session_id;
    perform waivers.append_audit(
        session, name, waivers.act_origin() || jsonb_build_object('waiver_id', waiver.id, 'reason', reason));
end
$$;
