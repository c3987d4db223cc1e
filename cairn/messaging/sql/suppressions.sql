-- Returns the hash that is stored instead of an erased address, so that a complaint of its owner, or their wish to get no
-- reminders, still counts. The company is part of the hash, so the hashes of two companies cannot be compared. Returns null
-- if there is no company.
create or replace function messaging.address_hash(company uuid, address text) returns text
    language sql immutable
    return 'sha256:' || encode(sha256(convert_to(company || ' ' || lower(address), 'UTF8')), 'hex');
grant execute on function messaging.address_hash to service_role;

-- The addresses to which the caller's company sends no more emails. Erased addresses are not shown.
create or replace view public.suppressed_addresses with (security_invoker = true) as
    select company_id, address, reason, detail, created_at from messaging.suppressions
     where address not like 'sha256:%';
grant select on public.suppressed_addresses to authenticated, service_role;

-- Called by the company if an email to this address came back, but the address is right. Returns true if the address was
-- suppressed. A complaint stays, because the recipient does not want these emails.
create or replace function public.allow_address_again(address text) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    company       uuid := accounts.my_company();
    clean_address text := lower(trim(allow_address_again.address));
begin
    perform accounts.refuse_suspended();
    if exists (select from messaging.suppressions s
                where s.company_id = company and s.reason = 'complaint'
                  and s.address in (clean_address, messaging.address_hash(company, clean_address))) then
        perform messaging.refuse('address_complained', jsonb_build_object('address', clean_address));
    end if;
    delete from messaging.suppressions s where s.company_id = company and s.address = clean_address;
    return found;
end
$$;
grant execute on function public.allow_address_again to authenticated;

-- Returns why a company sends no more emails to an address, 'bounce' or 'complaint', or null. send_email.py checks it again when
-- it sends an email.
create or replace function messaging.suppression_of(company uuid, address text) returns text
    language sql stable security definer set search_path = ''
    begin atomic
        select s.reason from messaging.suppressions s
         where s.scope = 'company' and s.company_id = company
           and s.address in (lower(suppression_of.address), messaging.address_hash(company, suppression_of.address))
         limit 1;
    end;
