-- Marks a signed waiver as revoked, with a reason, or as superseded by a newer signed waiver of the company. The record and
-- its document stay as they are and can still be read.
create or replace function public.revoke_waiver(waiver_id uuid, reason text, superseded_by uuid default null) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    company      uuid := waivers.acting_company();
    clean_reason text := waivers.clean_reason(reason);
    session      waivers.sessions;
    waiver       waivers.signed;
begin
    -- The session is locked first, as when a guest signs, so that both never wait for each other.
    select s.* into session
      from waivers.sessions s join waivers.signed w on w.session_id = s.id
     where w.id = $1 and w.company_id = company
       for update of s;
    if session.id is null then
        perform waivers.refuse('waiver_not_found');
    end if;
    select * into waiver from waivers.signed w where w.id = $1;
    if waiver.revoked_at is not null then
        perform waivers.refuse('waiver_already_revoked');
    end if;
    if $3 is not null and not exists (
            select from waivers.signed newer
             where newer.id = $3 and newer.company_id = company and newer.revoked_at is null
               and newer.signed_at > waiver.signed_at) then
        perform waivers.refuse('newer_waiver_not_found');
    end if;

    update waivers.signed w set revoked_at = clock_timestamp(), revoke_reason = clean_reason, superseded_by = $3
     where w.id = $1;
    perform waivers.append_audit(
        session, case when $3 is null then 'waiver.revoked' else 'waiver.superseded' end,
        waivers.act_origin() || jsonb_strip_nulls(jsonb_build_object(
            'waiver_id', $1, 'reason', clean_reason, 'superseded_by', $3)));
end
$$;
revoke execute on function public.revoke_waiver from public;
grant execute on function public.revoke_waiver to authenticated;
