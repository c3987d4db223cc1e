-- Counts the waivers of the caller's company for the dashboard. Each number says how many rows Waiver Management lists
-- with the same filter, so a session that was signed twice counts twice, and `total` is the sum of the others.
create or replace function public.waiver_counts(
        out total bigint, out signed bigint, out pending bigint, out expired bigint, out cancelled bigint, out revoked bigint)
    language plpgsql stable security definer set search_path = '' as $$
declare
    company uuid := accounts.my_company();
begin
    select count(*) filter (where s.status = 'pending'), count(*) filter (where s.status = 'cancelled')
      into pending, cancelled
      from waivers.sessions s where s.company_id = company and s.status in ('pending', 'cancelled');
    select count(*) into expired from waivers.sessions s
     where s.company_id = company and s.status = 'pending' and s.expires_at <= now();
    -- Both counts of the signed waivers read only an index.
    select count(*) into signed from waivers.signed w where w.company_id = company;
    select count(*) into revoked from waivers.signed w where w.company_id = company and w.revoked_at is not null;
    pending := pending - expired;
    total := pending + expired + cancelled + signed;
    signed := signed - revoked;
end
$$;
grant execute on function public.waiver_counts to authenticated;
