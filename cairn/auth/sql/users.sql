-- Other packages call these functions, because they must not read the tables of this schema.

create or replace function auth.confirmed_email(person uuid) returns text
    language sql stable security definer set search_path = ''
    return (select email from auth.users where id = person and email_confirmed_at is not null);
grant execute on function auth.confirmed_email to service_role;

-- True if a user has proven that the address is theirs.
create or replace function auth.is_confirmed_address(address text) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from auth.users where email = lower(address) and email_confirmed_at is not null);
grant execute on function auth.is_confirmed_address to service_role;

-- `accounts` calls this to add claims to the access tokens of a user.
create or replace function auth.add_app_metadata(person uuid, added jsonb) returns void
    language sql security definer set search_path = ''
    begin atomic
        update auth.users set app_metadata = app_metadata || added where id = person;
    end;

-- Returns which of these sign-in sessions have not ended.
create or replace function auth.active_sessions(ids uuid[]) returns setof uuid
    language sql stable security definer set search_path = ''
    begin atomic
        select id from auth.sessions where id = any (ids);
    end;
grant execute on function auth.active_sessions to service_role;

-- True if this is the address of the account, and its owner had confirmed it at that time. An address that a client has moved the
-- account to with the token of an email and without the password does not count; see `auth.note_proven_email`.
create or replace function auth.had_confirmed(person uuid, address text, at timestamptz) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from auth.users u
                    where u.id = person and u.email = address and u.email_confirmed_at <= at
                      and u.email <> all (u.token_only_emails));
grant execute on function auth.had_confirmed to service_role;
