-- Counts the waivers of the caller's company for the dashboard. Each one is counted once, under its status, and `total` is
-- their sum. A session is revoked if all of its signed waivers are.
create or replace function public.waiver_counts(
        out total bigint, out signed bigint, out pending bigint, out expired bigint, out cancelled bigint, out revoked bigint)
    language plpgsql stable security definer set search_path = '' as $$
declare
    company uuid := accounts.my_company();
begin
    select count(*) filter (where s.status <> 'template_default'), count(*) filter (where s.status = 'signed'),
           count(*) filter (where s.status = 'pending'), count(*) filter (where s.status = 'cancelled')
      into total, signed, pending, cancelled
      from waivers.sessions s where s.company_id = company;
    select count(*) into expired from waivers.sessions s
     where s.company_id = company and s.status = 'pending' and s.expires_at <= now();
    select count(distinct w.session_id) into revoked from waivers.signed w
     where w.company_id = company and w.revoked_at is not null
       and not exists (select from waivers.signed v where v.session_id = w.session_id and v.revoked_at is null);
    pending := pending - expired;
    signed := signed - revoked;
end
$$;
grant execute on function public.waiver_counts to authenticated;
