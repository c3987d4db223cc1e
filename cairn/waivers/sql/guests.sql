-- Lists the waivers of all companies that were sent to the guest's proven email address or signed with it. This is a
-- function and not a policy, because a policy for "the company's own rows or the guest's" would keep the lists of a
-- company from using their index. It returns at most 500 links and 500 signatures. If there are more, all senders get equal
-- shares of them, so that a stranger who knows the address cannot crowd out the waivers of others. The sender of a link is its
-- company, and that of a signature is the network from which it came, for each company.
create or replace function public.my_waivers()
    returns table (session_id uuid, waiver_id uuid, status text, template_name text, company_name text,
                   sent_at timestamptz, expires_at timestamptz, signed_at timestamptz, document_status text)
    language sql stable security definer set search_path = '' as $$
    with pending as (
        select s.id, s.company_id, s.template_name, s.created_at, s.expires_at,
               row_number() over (partition by s.company_id order by s.created_at desc) as place
          from waivers.sessions s
         where s.status = 'pending' and s.recipient_email = (select auth.my_proven_email())
         order by place, s.created_at desc limit 500
    ), signed as (
        select w.id, w.session_id, w.company_id, w.company_name, w.template_name, w.signed_at, w.revoked_at, w.document_path,
               row_number() over (partition by w.company_id, waivers.larger_network_of(w.ip) order by w.signed_at desc) as place
          from waivers.signed w
         where w.signer_email = (select auth.my_proven_email())
         order by place, w.signed_at desc limit 500
    )
    (select s.id, null::uuid, case when s.expires_at <= now() then 'expired' else 'pending' end,
            s.template_name, accounts.company_name(s.company_id), s.created_at, s.expires_at, null::timestamptz, null
       from pending s
      order by s.created_at desc)
    union all
    (select w.session_id, w.id, case when w.revoked_at is null then 'signed' else 'revoked' end,
            w.template_name, coalesce(w.company_name, accounts.company_name(w.company_id)), s.created_at, null, w.signed_at,
            case when w.document_path is not null then 'ready'
                 when waivers.document_failed(w.id) then 'failed' else 'preparing' end
       from signed w
       join waivers.sessions s on s.id = w.session_id
      order by w.signed_at desc)
$$;
grant execute on function public.my_waivers to authenticated;

create or replace function waivers.signed_by_me(waiver_id uuid) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from waivers.signed w
                    where w.id = waiver_id and w.signer_email = (select auth.my_proven_email()));
grant execute on function waivers.signed_by_me to anon, authenticated, service_role;

-- Returns the caller's proven email address, or null.
create or replace function waivers.my_email() returns text
    language sql stable security definer set search_path = ''
    return auth.my_proven_email();
grant execute on function waivers.my_email to authenticated, service_role;
