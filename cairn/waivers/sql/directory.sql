-- Returns the list of Waiver Management: signed records and unsigned sessions together. They are searched, filtered,
-- sorted and paged here, so that a browser never holds more than it displays. To get the next page, pass `place` (the
-- sort key) and `id` of the last row. The status "expired" is not stored: it means that a pending session has passed its
-- expiry. A cancelled session has the type "pending", because it has no record either. The state "revoked" also contains
-- superseded waivers. `minors` and `flags` are the names of the minors and the texts of the flags of a waiver with a form. The rows are
-- read with the caller's privileges, so the flags of sensitive questions are left out for callers who may not read the answers.
create or replace function public.waiver_directory(
        term text default '', state text default 'all', sorted text default 'newest',
        after_place text default null, after_id uuid default null, up_to int default 100)
    returns table (id uuid, type text, session_id uuid, template_id text, template_name text, name text, email text,
                   status text, at timestamptz, signature text, content text, place text, minors text[], flags text[])
    language sql stable as $$
    select * from (
        select w.id, 'signed' as type, w.session_id, w.template_id, w.template_name, w.signer_name, w.signer_email,
               case when w.erased_at is not null then 'erased' when w.revoked_at is null then 'signed'
                    when w.superseded_by is null then 'revoked' else 'superseded' end as status, w.signed_at, w.signature, w.content, p.place,
               case when w.record_version >= 4 and w.erased_at is null
                    then array(select m.name from waivers.participants m where m.waiver_id = w.id and m.number > 0 order by m.number)
                    else '{}' end,
               case when w.record_version >= 4
                    then array(select distinct (f ->> 'text') collate "C"
                                 from waivers.participants m
                                 left join waivers.sensitive_answers s on s.participant_id = m.id
                                cross join jsonb_array_elements(m.flags || coalesce(s.flags, '[]')) f
                                where m.waiver_id = w.id order by 1)
                    else '{}' end
          from waivers.directory_page('signed', term, state, sorted, after_place, after_id, least(greatest(up_to, 1), 1000)) p
          join waivers.signed w on w.id = p.id
         where state in ('all', 'signed', 'revoked')
        union all
        select s.id, 'pending', s.id, s.template_id, s.template_name, coalesce(s.recipient_name, 'Anonymous'),
               s.recipient_email, case when s.expires_at <= now() then 'expired' else 'pending' end, s.created_at, null,
               s.template_content, p.place, '{}', '{}'
          from waivers.directory_page('pending', term, state, sorted, after_place, after_id, least(greatest(up_to, 1), 1000)) p
          join waivers.sessions s on s.id = p.id
         where state not in ('signed', 'cancelled', 'revoked')
        union all
        select s.id, 'pending', s.id, s.template_id, s.template_name, coalesce(s.recipient_name, 'Anonymous'),
               s.recipient_email, 'cancelled', s.created_at, null, s.template_content, p.place, '{}', '{}'
          from waivers.directory_page('cancelled', term, state, sorted, after_place, after_id,
                                      least(greatest(up_to, 1), 1000)) p
          join waivers.sessions s on s.id = p.id
         where state in ('all', 'cancelled')
    ) as directory (id, type, session_id, template_id, template_name, name, email, status, at, signature, content, place, minors, flags)
    order by case when sorted in ('newest', 'z-a') then directory.place end collate "C" desc,
             case when sorted in ('newest', 'z-a') then directory.id end desc,
             directory.place collate "C", directory.id
    limit least(greatest(up_to, 1), 1000)
$$;
grant execute on function public.waiver_directory to authenticated;

create or replace function public.count_waiver_directory(
        term text default '', state text default 'all', up_to int default 10000)
    returns bigint
    language sql stable
    return waivers.count_directory_rows(term, state, least(greatest(up_to, 1), 10000));
grant execute on function public.count_waiver_directory to authenticated;

-- Returns one page of one kind of row, 'signed', 'pending' or 'cancelled': the ids of the rows of the caller's company, with their
-- sort keys. It runs with the owner's privileges, because row-level security keeps the trigram condition from using its index.
create or replace function waivers.directory_page(
        kind text, term text, state text, sorted text, after_place text, after_id uuid, up_to int)
    returns table (id uuid, place text)
    language plpgsql stable security definer set search_path = '' as $$
declare
    company      uuid := accounts.my_company();
    search_term  text := waivers.search_term(term);
    -- The number of rows that are searched in sort order before the trigram index is used.
    scan_rows    constant int := 2000;
    ordering     record;
    -- A query with the placeholder %s for one more condition.
    ordered_rows text;
    page_queries text[];
    missing_rows int := up_to;
begin
    select * into ordering from (values
        ('newest', 'at',       'moment',   'timestamptz', '<', 'desc'),
        ('oldest', 'at',       'moment',   'timestamptz', '>', 'asc'),
        ('a-z',    'name_key', 'name_key', 'text',        '>', 'asc'),
        ('z-a',    'name_key', 'name_key', 'text',        '<', 'desc')
    ) as orderings (name, key, place, type, comparison, direction) where name = sorted;
    if ordering is null or state not in ('all', 'signed', 'pending', 'expired', 'cancelled', 'revoked') then
        perform waivers.refuse('directory_filter_unknown');
    end if;

    -- Inserted by format: %1 the column of the returned sort key, %2 the view, %3 the column to sort by, %4 the comparison
    -- with the previous row, %5 the type of the column, %6 the direction.
    -- Parameters: $1 company, $2 state, $3 and $4 sort key and id of the previous row, $5 search term, $6 number of rows to
    -- read, $7 number of rows to return.
    ordered_rows := format($q$
        select l.id, l.%1$I as place, l.text
          from waivers.%2$I l
         where l.company_id = $1
           and ($2 <> 'pending' or l.expires_at > now() or l.expires_at is null)
           and ($2 <> 'expired' or l.expires_at <= now())
           and ($2 <> 'signed' or l.revoked_at is null)
           and ($2 <> 'revoked' or l.revoked_at is not null)
           and ($3 is null or (l.%3$I, l.id) %4$s ($3::%5$s, $4))
           and (%%s)
         order by l.%3$I %6$s, l.id %6$s
         limit $6
    $q$, ordering.place, 'directory_' || kind, ordering.key, ordering.comparison, ordering.type,
        ordering.direction);
    page_queries[0] := format('select n.id, n.place from (%s) n where strpos(n.text, $5) > 0 %s limit $7',
        format(ordered_rows, 'true'), case when kind = 'signed' then $q$
            or exists (select from waivers.participants p
                        where p.waiver_id = n.id and p.number > 0 and strpos(lower(p.name), $5) > 0) $q$ end);
    page_queries[1] := format(ordered_rows, 'l.keys @> waivers.search_keys($1, $5) and strpos(l.text, $5) > 0');
    if kind = 'signed' then
        page_queries[1] := format('(%s) union (%s)', page_queries[1],
            format(ordered_rows, 'l.id = any (array(select waivers.waivers_with_minor_named($1, $5)))'));
    end if;
    page_queries[1] := format('select n.id, n.place from (%s) n order by n.place collate "C" %2$s, n.id %2$s limit $7',
        page_queries[1], ordering.direction);

    -- A common term is found often enough among the next rows in sort order. If these do not fill the page, a second
    -- query (by_trigrams = 1) uses the trigram index, which finds every match but not in sort order. Without a search
    -- term, the first query returns the whole page.
    for by_trigrams in 0 .. (search_term <> '')::int loop
        for id, place in execute page_queries[by_trigrams]
            using company, state, after_place, after_id, search_term,
                  case when search_term = '' or by_trigrams = 1 then missing_rows else scan_rows end, missing_rows
        loop
            return next;
            missing_rows := missing_rows - 1;
            after_place := place;
            after_id := id;
        end loop;
        exit when missing_rows = 0;
    end loop;
end
$$;
grant execute on function waivers.directory_page to authenticated;

-- Counts the matching rows and stops at `up_to`.
create or replace function waivers.count_directory_rows(term text, state text, up_to int) returns bigint
    language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
    company     uuid := accounts.my_company();
    search_term text := waivers.search_term(term);
begin
    return (select count(*) from (
        select from waivers.directory_signed l
         where l.company_id = company and state in ('all', 'signed', 'revoked')
           and (state <> 'signed' or l.revoked_at is null)
           and (state <> 'revoked' or l.revoked_at is not null)
           and (search_term = ''
                or l.keys @> waivers.search_keys(company, search_term) and strpos(l.text, search_term) > 0)
        union all
        select from waivers.directory_signed l
         where state in ('all', 'signed', 'revoked') and l.company_id = company
           and (state <> 'signed' or l.revoked_at is null)
           and (state <> 'revoked' or l.revoked_at is not null)
           and search_term <> '' and strpos(l.text, search_term) = 0
           and l.id = any (array(select waivers.waivers_with_minor_named(company, search_term)))
        union all
        select from waivers.directory_pending l
         where l.company_id = company and state not in ('signed', 'cancelled', 'revoked')
           and (state <> 'pending' or l.expires_at > now() or l.expires_at is null)
           and (state <> 'expired' or l.expires_at <= now())
           and (search_term = ''
                or l.keys @> waivers.search_keys(company, search_term) and strpos(l.text, search_term) > 0)
        union all
        select from waivers.directory_cancelled l
         where l.company_id = company and state in ('all', 'cancelled')
           and (search_term = ''
                or l.keys @> waivers.search_keys(company, search_term) and strpos(l.text, search_term) > 0)
        limit up_to) as matches);
end
$$;
grant execute on function waivers.count_directory_rows to authenticated;

-- A waiver is also found by the names of the minors for whom it was signed. The company is one of the keys of the index.
create or replace function waivers.waivers_with_minor_named(company uuid, search_term text) returns setof uuid
    language sql stable set search_path = ''
    begin atomic
        select p.waiver_id from waivers.participants p
         where waivers.search_keys(p.company_id, lower(p.name)) @> waivers.search_keys(company, search_term)
           and strpos(lower(p.name), search_term) > 0 and p.number > 0;
    end;

-- These views give the three kinds of row the same column names. Postgres inlines them, so queries still use the indexes.
create or replace view waivers.directory_signed with (security_invoker = true) as
    select w.company_id, w.id, null::timestamptz as expires_at, w.signed_at as at, waivers.moment(w.signed_at) as moment,
           waivers.name_key(w.signer_name) collate "C" as name_key,
           waivers.search_text(w.signer_name, w.signer_email, w.template_name) as text,
           waivers.search_keys(w.company_id, waivers.search_text(w.signer_name, w.signer_email, w.template_name)) as keys,
           w.revoked_at
      from waivers.signed w;

create or replace view waivers.directory_sessions with (security_invoker = true) as
    select s.company_id, s.id, s.expires_at, s.created_at as at, waivers.moment(s.created_at) as moment,
           waivers.name_key(coalesce(s.recipient_name, 'Anonymous')) collate "C" as name_key,
           waivers.search_text(s.recipient_name, s.recipient_email, s.template_name) as text,
           waivers.search_keys(s.company_id, waivers.search_text(s.recipient_name, s.recipient_email, s.template_name)) as keys,
           null::timestamptz as revoked_at, s.status
      from waivers.sessions s;

create or replace view waivers.directory_pending with (security_invoker = true) as
    select * from waivers.directory_sessions where status = 'pending';

create or replace view waivers.directory_cancelled with (security_invoker = true) as
    select * from waivers.directory_sessions where status = 'cancelled';

-- Returns a timestamp as text that sorts chronologically.
create or replace function waivers.moment(at timestamptz) returns text
    language sql immutable parallel safe
    return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
grant execute on function waivers.moment to public;
