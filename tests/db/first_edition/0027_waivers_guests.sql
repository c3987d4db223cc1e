-- What a guest with an account sees: the waivers of every company that were sent to, or signed with, an address which
-- the guest has proven to be theirs.

-- Whoever signs up with a stranger's address holds a session when the stranger confirms it. So what counts is not that
-- the address is confirmed, but that it was when this session began: such a session came by the mailed link, or later.
alter table auth.sessions add column proven_email text;

create function accounts.note_proven_email() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    new.proven_email := (select u.email from auth.users u where u.id = new.user_id and u.email_confirmed_at is not null);
    return new;
end
$$;
revoke execute on function accounts.note_proven_email() from public;
create trigger note_proven_email before insert on auth.sessions
    for each row execute function accounts.note_proven_email();

update auth.sessions s
   set proven_email = u.email
  from auth.users u
 where u.id = s.user_id and s.created_at > u.email_confirmed_at;

-- Null unless the caller's own session, which must still be open, was begun with this very address confirmed.
create function accounts.my_proven_email() returns text
    language sql stable security definer set search_path = ''
    begin atomic
        select u.email
          from auth.sessions s
          join auth.users u on u.id = s.user_id
         where s.id = (auth.jwt() ->> 'session_id')::uuid and u.id = auth.uid()
           and u.email_confirmed_at is not null and s.proven_email = u.email;
    end;

-- 'proven'; 'unverified'; or 'sign in again' when the address was confirmed after this session began.
create function public.my_address() returns text
    language sql stable security definer set search_path = ''
    begin atomic
        select case when accounts.my_proven_email() is not null then 'proven'
                    when u.email_confirmed_at is not null then 'sign in again'
                    else 'unverified' end
          from auth.users u where u.id = auth.uid();
    end;

create index sessions_recipient_idx on waivers.sessions (recipient_email, created_at desc) where status = 'pending';
create index signed_signer_idx on waivers.signed (signer_email, signed_at desc);

-- A function and not a policy: "its own company's, or one's own" would keep every list of a company from its index.
create function public.my_waivers()
    returns table (session_id uuid, waiver_id uuid, status text, template_name text, company_name text,
                   sent_at timestamptz, expires_at timestamptz, signed_at timestamptz, document_status text)
    language sql stable security definer set search_path = '' as $$
    (select s.id, null::uuid, case when s.expires_at <= now() then 'expired' else 'pending' end,
            s.template_name, accounts.company_name(s.company_id), s.created_at, s.expires_at, null::timestamptz, null
       from waivers.sessions s
      where s.status = 'pending' and s.recipient_email = (select accounts.my_proven_email())
      order by s.created_at desc limit 500)
    union all
    (select w.session_id, w.id, 'signed', w.template_name, coalesce(w.company_name, accounts.company_name(w.company_id)),
            s.created_at, null, w.signed_at, case when w.document_path is null then 'preparing' else 'ready' end
       from waivers.signed w
       join waivers.sessions s on s.id = w.session_id
      where w.signer_email = (select accounts.my_proven_email())
      order by w.signed_at desc limit 500)
$$;

create function waivers.signed_by_me(waiver_id uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select exists (select from waivers.signed w
                        where w.id = waiver_id and w.signer_email = (select accounts.my_proven_email()));
    end;

revoke execute on function accounts.my_proven_email, public.my_address, public.my_waivers, waivers.signed_by_me from public;
grant execute on function public.my_address, public.my_waivers to authenticated;
grant execute on function waivers.signed_by_me to anon, authenticated, service_role;
