-- Reading at a million rows. A policy is part of every query it applies to, so it decides which index can answer.

-- "Its own" or "the one whose id was named" kept Postgres from walking any index in order: every list of a company was
-- read whole and sorted. The second half now belongs to a role that is taken on only when a request names an exact id.
do $$
begin
    if not exists (select from pg_roles where rolname = 'authenticated_asking') then
        create role authenticated_asking nologin inherit;
    end if;
    grant authenticated to authenticated_asking;
    grant authenticated_asking to authenticator;
end
$$;
alter policy "whoever names the exact id reads that session" on waivers.sessions to anon, authenticated_asking;
alter policy "whoever names the exact id reads that template" on public.waiver_templates to anon, authenticated_asking;

-- The dashboard counts by status, from this index alone. The last column decides nothing, but the view mentions it, and
-- Postgres would visit every row for it.
create index sessions_counted_idx on waivers.sessions (company_id, status) include (first_waiver_id);

-- Search by name, email or template, for any part of a word and without an extension: an index over every three
-- letters in a row. The company is a key like any other, so that a search never meets the rows of somebody else.
create function waivers.search_words(name text, email text, template text) returns text
    language sql immutable parallel safe
    return lower(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(template, ''));

create function waivers.search_keys(company uuid, words text) returns text[]
    language plpgsql immutable parallel safe as $$
declare
    keys text[] := array[company::text];
begin
    -- A loop, because the same as one query takes three times as long, and every signature pays for it.
    for place in 1 .. length(words) - 2 loop
        keys := keys || substr(words, place, 3);
    end loop;
    return keys;
end
$$;

create index sessions_search_idx on waivers.sessions using gin
    (waivers.search_keys(company_id, waivers.search_words(recipient_name, recipient_email, template_name)));
create index signed_search_idx on waivers.signed using gin
    (waivers.search_keys(company_id, waivers.search_words(signer_name, signer_email, template_name)));

-- Row-level security keeps operators that might leak out of index conditions, so the letters are looked up with the
-- owner's rights. Only ids of the caller's own company leave these two; the rows are then read with the caller's.
-- A common term is soon found among the newest; only when those do not fill the page, the letters are asked.
create function waivers.found_sessions(term text, before timestamptz, up_to int) returns setof uuid
    language plpgsql stable security definer set search_path = '' as $$
declare
    company uuid := accounts.my_company();
    wanted  text := lower(trim(term));
    matches uuid[] := array(
        select n.id
          from (select s.id, s.recipient_name, s.recipient_email, s.template_name from waivers.sessions s
                 where s.company_id = company and s.created_at < before
                 order by s.created_at desc limit 2000) n
         where strpos(waivers.search_words(n.recipient_name, n.recipient_email, n.template_name), wanted) > 0
         limit up_to);
begin
    if cardinality(matches) < up_to then
        matches := array(
            select s.id from waivers.sessions s
             where waivers.search_keys(s.company_id, waivers.search_words(s.recipient_name, s.recipient_email, s.template_name))
                   @> waivers.search_keys(company, wanted)
               and strpos(waivers.search_words(s.recipient_name, s.recipient_email, s.template_name), wanted) > 0
               and s.company_id = company and s.created_at < before
             order by s.created_at desc limit up_to);
    end if;
    return query select unnest(matches);
end
$$;

create function waivers.found_signed(term text, before timestamptz, up_to int) returns setof uuid
    language plpgsql stable security definer set search_path = '' as $$
declare
    company uuid := accounts.my_company();
    wanted  text := lower(trim(term));
    matches uuid[] := array(
        select n.id
          from (select w.id, w.signer_name, w.signer_email, w.template_name from waivers.signed w
                 where w.company_id = company and w.signed_at < before
                 order by w.signed_at desc limit 2000) n
         where strpos(waivers.search_words(n.signer_name, n.signer_email, n.template_name), wanted) > 0
         limit up_to);
begin
    if cardinality(matches) < up_to then
        matches := array(
            select w.id from waivers.signed w
             where waivers.search_keys(w.company_id, waivers.search_words(w.signer_name, w.signer_email, w.template_name))
                   @> waivers.search_keys(company, wanted)
               and strpos(waivers.search_words(w.signer_name, w.signer_email, w.template_name), wanted) > 0
               and w.company_id = company and w.signed_at < before
             order by w.signed_at desc limit up_to);
    end if;
    return query select unnest(matches);
end
$$;

-- What the directory calls: the newest matches first, and the next page from `before` the last one shown.
create function public.search_waiver_sessions(term text, before timestamptz default 'infinity', up_to int default 100)
    returns setof public.waiver_sessions
    language sql stable as $$
    select s.* from public.waiver_sessions s
     where s.id = any (array(select waivers.found_sessions(term, before, least(up_to, 1000))))
     order by s.created_at desc
$$;
create function public.search_signed_waivers(term text, before timestamptz default 'infinity', up_to int default 100)
    returns setof public.signed_waivers
    language sql stable as $$
    select w.* from public.signed_waivers w
     where w.id = any (array(select waivers.found_signed(term, before, least(up_to, 1000))))
     order by w.signed_at desc
$$;
revoke execute on function waivers.found_sessions, waivers.found_signed, public.search_waiver_sessions, public.search_signed_waivers from public;
grant execute on function waivers.found_sessions, waivers.found_signed, public.search_waiver_sessions, public.search_signed_waivers to authenticated;
