-- An address is proven for a session if it was already confirmed when the session started. It is not enough that the
-- address is confirmed now: an attacker could sign up with a stranger's address, and still have that session when the
-- stranger confirms the address. If a client has moved the account to this address with the token of an email and without
-- the password, the address is proven only for sessions that a link or code in an email to it has opened. Such a session
-- is inserted with that address in `proven_email`.
create or replace function auth.note_proven_email() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    new.proven_email := (
        select u.email from auth.users u
         where u.id = new.user_id and u.email_confirmed_at is not null
           and (u.email <> all (u.token_only_emails) or u.email = new.proven_email)
    );
    return new;
end
$$;

create or replace trigger note_proven_email before insert on auth.sessions
    for each row execute function auth.note_proven_email();

-- Returns the caller's address, or null if it is not proven for the caller's session or the session has ended.
create or replace function auth.my_proven_email() returns text
    language sql stable security definer set search_path = ''
    begin atomic
        select u.email
          from auth.sessions s
          join auth.users u on u.id = s.user_id
         where s.id = (auth.jwt() ->> 'session_id')::uuid and u.id = auth.uid()
           and u.email_confirmed_at is not null and s.proven_email = u.email;
    end;

-- Returns 'proven', 'unverified', or 'sign in again' if the address is confirmed but not proven for this session.
create or replace function public.my_address() returns text
    language sql stable security definer set search_path = ''
    begin atomic
        select case when auth.my_proven_email() is not null then 'proven'
                    when u.email_confirmed_at is not null then 'sign in again'
                    else 'unverified' end
          from auth.users u where u.id = auth.uid();
    end;
grant execute on function public.my_address to authenticated;
