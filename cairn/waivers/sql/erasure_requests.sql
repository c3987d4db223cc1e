-- A person requests that a company erases what they have signed, and the company answers. The company decides, because it may
-- have to keep a waiver, for example while a claim is open.

-- Shows a company the requests of its guests, and a person their own requests.
create or replace view public.erasure_requests with (security_invoker = true) as
    select id, company_id, accounts.company_name(company_id) as company_name, email, note, status, requested_at, answer,
           answered_at
      from waivers.erasure_requests;
grant select on public.erasure_requests to authenticated, service_role;

-- Lists the companies for which the caller has signed waivers with their proven email address.
create or replace function public.my_companies() returns table (company_id uuid, company_name text, waiver_count int)
    language sql stable security definer set search_path = '' as $$
    select w.company_id, accounts.company_name(w.company_id), count(*)::int
      from waivers.signed w
     where w.signer_email = (select auth.my_proven_email()) and w.company_id is not null and w.erased_at is null
     group by w.company_id
     order by max(w.signed_at) desc
     limit 500
$$;
grant execute on function public.my_companies to authenticated;

-- Requests that the company erases all waivers that were signed with the caller's proven email address. Returns the id of the
-- request. A request that is still open is returned again.
create or replace function public.request_erasure(company_id uuid, note text default '') returns uuid
    language plpgsql security definer set search_path = '' as $$
declare
    address    text := auth.my_proven_email();
    clean_note text := coalesce(cairn.clean_line(note), '');
    request    uuid;
begin
    if address is null then
        perform waivers.refuse('address_not_proven');
    end if;
    if length(clean_note) > 1000 then
        perform waivers.refuse('note_too_long');
    end if;
    if not exists (select from waivers.signed w
                    where w.signer_email = address and w.company_id = $1 and w.erased_at is null) then
        perform waivers.refuse('nothing_to_erase');
    end if;
    insert into waivers.erasure_requests as r (company_id, user_id, email, note)
    values ($1, auth.uid(), address, clean_note)
    on conflict do nothing
    returning r.id into request;
    if request is null then
        return (select r.id from waivers.erasure_requests r
                 where r.company_id = $1 and r.email = address and r.status = 'open');
    end if;
    if limits.take(format('erasure requests of %s to %s', auth.uid(), $1), 3, interval '1 day') is not null then
        perform waivers.refuse('too_many_erasure_requests');
    end if;
    perform jobs.raise_event('erasure.requested', jsonb_build_object('request_id', request, 'company_id', $1));
    return request;
end
$$;
grant execute on function public.request_erasure to authenticated;

-- Grants a request, which erases all waivers that the person has signed for the company, or refuses it. Returns how many
-- waivers were erased.
create or replace function public.answer_erasure_request(request_id uuid, is_granted boolean, reason text) returns int
    language plpgsql security definer set search_path = '' as $$
declare
    company      uuid := waivers.acting_company();
    clean_reason text := waivers.clean_reason(reason);
    request      waivers.erasure_requests;
    erased       int := 0;
begin
    select * into request from waivers.erasure_requests r where r.id = request_id and r.company_id = company for update;
    if request.id is null then
        perform waivers.refuse('erasure_request_not_found');
    end if;
    if request.status <> 'open' then
        perform waivers.refuse('erasure_request_answered');
    end if;
    if is_granted then
        erased := waivers.erase_signer(company, request.email, clean_reason);
    end if;
    update waivers.erasure_requests r
       set status = case when is_granted then 'granted' else 'refused' end, answer = clean_reason,
           answered_at = clock_timestamp(), email = case when is_granted then '(erased)' else r.email end,
           note = case when is_granted then '' else r.note end
     where r.id = request.id;
    return erased;
end
$$;
grant execute on function public.answer_erasure_request to authenticated;

-- Erases all waivers that were signed with this address for the company, and returns their number. Waivers on hold are not
-- erased, so the company has to release the hold first, or to refuse the request.
create or replace function waivers.erase_signer(company uuid, address text, reason text) returns int
    language plpgsql set search_path = '' as $$
declare
    waiver_id uuid;
    waiver    waivers.signed;
    erased    int := 0;
begin
    for waiver_id in select w.id from waivers.signed w
                      where w.signer_email = address and w.company_id = company and w.erased_at is null
                      order by w.session_id, w.id loop
        waiver := waivers.lock_waiver_of_company(waiver_id);
        perform waivers.check_erasable(waiver, reason);
        perform waivers.erase(waiver, waivers.act_origin() || jsonb_build_object('cause', 'request', 'reason', reason));
        erased := erased + 1;
    end loop;
    return erased;
end
$$;

-- If a company has erased the last waiver of a person, it also forgets who sent the requests. Requests that are still open have
-- then been granted.
create or replace function waivers.close_erasure_requests(company uuid, address text) returns void
    language sql set search_path = '' as $$
    update waivers.erasure_requests r
       set status = case r.status when 'open' then 'granted' else r.status end,
           answer = case r.status when 'open' then 'All waivers were erased.' when 'refused' then '(erased)' else r.answer end,
           answered_at = coalesce(r.answered_at, clock_timestamp()), email = '(erased)', note = ''
     where r.company_id = company and r.email = address
       and not exists (select from waivers.signed w
                        where w.signer_email = address and w.company_id = company and w.erased_at is null)
$$;
