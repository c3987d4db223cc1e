-- Marks a signed waiver as revoked, with a reason, or as superseded by a newer signed waiver of the company. The record and
-- its document stay as they are and can still be read.
create or replace function public.revoke_waiver(waiver_id uuid, reason text, superseded_by uuid default null) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    waiver       waivers.signed := waivers.lock_waiver_of_company(waiver_id);
    clean_reason text := waivers.clean_reason(reason);
    session      waivers.sessions;
begin
    select * into session from waivers.sessions s where s.id = waiver.session_id;
    if waiver.revoked_at is not null then
        perform waivers.refuse('waiver_already_revoked');
    end if;
    if $3 is not null and not exists (
            select from waivers.signed newer
             where newer.id = $3 and newer.company_id = waiver.company_id and newer.revoked_at is null
               and newer.erased_at is null and newer.signed_at > waiver.signed_at) then
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
grant execute on function public.revoke_waiver to authenticated;
