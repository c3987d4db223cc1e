-- Returns the list of Waiver Management: signed records and unsigned sessions together. They are searched, filtered,
-- sorted and paged here, so that a browser never holds more than it displays. To get the next page, pass `place` (the
-- sort key) and `id` of the last row. The status "expired" is not stored: it means that a pending session has passed its
-- expiry. A cancelled session has the type "pending", because it has no record either. The state "revoked" also contains
-- superseded waivers. `minors` and `flags` are the names of the minors and the texts of the flags of a waiver with a form. The rows are
-- read with the caller's privileges, so the flags of sensitive questions are left out for callers who may not read the answers.
-- Rows can be filtered by template, by flag (an empty text means any flag), and by the answer to a question ("true" means yes). A
-- question without an answer is refused, because the list would not be filtered by it.
create or replace function public.waiver_directory(
        term text default '', state text default 'all', sorted text default 'newest',
        after_place text default null, after_id uuid default null, up_to int default 100,
        template text default null, flag text default null, question text default null, answer text default null)
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
          from waivers.directory_page('signed', term, state, sorted, after_place, after_id, least(greatest(up_to, 1), 1000),
                                      template, flag, question, answer) p
          join waivers.signed w on w.id = p.id
         where state in ('all', 'signed', 'revoked')
        union all
        select s.id, 'pending', s.id, s.template_id, s.template_name, coalesce(s.recipient_name, 'Anonymous'),
               s.recipient_email, case when s.expires_at <= now() then 'expired' else 'pending' end, s.created_at, null,
               s.template_content, p.place, '{}', '{}'
          from waivers.directory_page('pending', term, state, sorted, after_place, after_id, least(greatest(up_to, 1), 1000),
                                      template, flag, question, answer) p
          join waivers.sessions s on s.id = p.id
         where state not in ('signed', 'cancelled', 'revoked')
        union all
        select s.id, 'pending', s.id, s.template_id, s.template_name, coalesce(s.recipient_name, 'Anonymous'),
               s.recipient_email, 'cancelled', s.created_at, null, s.template_content, p.place, '{}', '{}'
          from waivers.directory_page('cancelled', term, state, sorted, after_place, after_id, least(greatest(up_to, 1), 1000),
                                      template, flag, question, answer) p
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
        term text default '', state text default 'all', up_to int default 10000,
        template text default null, flag text default null, question text default null, answer text default null)
    returns bigint
    language sql stable
    return waivers.count_directory_rows(term, state, least(greatest(up_to, 1), 10000), template, flag, question, answer);
grant execute on function public.count_waiver_directory to authenticated;

-- Returns one page of one kind of row, 'signed', 'pending' or 'cancelled': the ids of the rows of the caller's company, with their
-- sort keys. It runs with the owner's privileges, because row-level security keeps the conditions of a search from using their indexes.
create or replace function waivers.directory_page(
        kind text, term text, state text, sorted text, after_place text, after_id uuid, up_to int,
        template text, flag text, question text, answer text)
    returns table (id uuid, place text)
    language plpgsql stable security definer set search_path = '' as $$
declare
    company      uuid := accounts.my_company();
    search_term  text := waivers.search_term(term);
    flag_key     bigint := waivers.flag_key(company, flag);
    answer_key   bigint := waivers.answer_key(company, question, answer);
    is_search    boolean := search_term <> '' or flag_key is not null or answer_key is not null;
    -- The number of rows that are searched in sort order before the indexes of the search are used.
    scan_rows    int := greatest(2000, 20 * up_to);
    page_queries text[];
    missing_rows int := up_to;
begin
    if (question is null) <> (answer is null) then
        perform waivers.refuse('directory_filter_unknown');
    end if;
    page_queries := waivers.directory_queries(kind, state, sorted, search_term <> '', flag_key is not null, answer_key is not null);
    -- Unsigned sessions have neither flags nor answers.
    if kind <> 'signed' and (flag_key is not null or answer_key is not null) then
        return;
    end if;
    -- What is common is found often enough among the next rows in sort order. If these do not fill the page, a second query
    -- (by_index = 2) uses the indexes of the search, which find every match but not in sort order. Without a search, the first
    -- query returns the whole page.
    for by_index in 1 .. 1 + is_search::int loop
        for id, place in execute page_queries[by_index]
            using company, state, after_place, after_id, search_term,
                  case when is_search and by_index = 1 then scan_rows else missing_rows end, missing_rows,
                  template, flag_key, answer_key
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

-- Returns the two queries of `directory_page`: one that searches rows in sort order, and one that uses the indexes of the search.
-- Parameters: $1 company, $2 state, $3 and $4 sort key and id of the previous row, $5 search term, $6 number of rows to
-- read, $7 number of rows to return, $8 template, $9 and $10 the keys of the flag and the answer (see directory_filters.sql).
create or replace function waivers.directory_queries(
        kind text, state text, sorted text, has_term boolean, has_flag boolean, has_answer boolean) returns text[]
    language plpgsql stable set search_path = '' as $$
declare
    ordering      record;
    -- A query with the placeholder %s for one more condition.
    ordered_rows  text;
    by_minor      text := '';
    by_people     text := '';
    -- The conditions of the second query. It returns the rows that meet any of them.
    index_terms   text[] := '{true}';
    index_people  text := '';
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
    ordered_rows := format($q$
        select l.id, l.%1$I as place, l.text
          from waivers.%2$I l
         where l.company_id = $1
           and ($2 <> 'pending' or l.expires_at > now() or l.expires_at is null)
           and ($2 <> 'expired' or l.expires_at <= now())
           and ($2 <> 'signed' or l.revoked_at is null)
           and ($2 <> 'revoked' or l.revoked_at is not null)
           and ($3 is null or (l.%3$I, l.id) %4$s ($3::%5$s, $4))
           and ($8 is null or l.template_id = $8)
           and (%%s)
         order by l.%3$I %6$s, l.id %6$s
         limit $6
    $q$, ordering.place, 'directory_' || kind, ordering.key, ordering.comparison, ordering.type,
        ordering.direction);
    if has_term then
        index_terms := array['l.keys @> waivers.search_keys($1, $5) and strpos(l.text, $5) > 0'];
    end if;
    if has_term and kind = 'signed' then
        by_minor := $q$ or exists (select from waivers.participants p
                                    where p.waiver_id = n.id and p.number > 0 and strpos(lower(p.name), $5) > 0) $q$;
        index_terms := index_terms || 'l.id = any (array(select waivers.waivers_with_minor_named($1, $5)))'::text;
    end if;
    select coalesce(string_agg(format(
               ' and exists (select from waivers.directory_people p where p.waiver_id = n.id and p.filter_keys @> array[%s])',
               key), ''), ''),
           coalesce(string_agg(format(
               ' and l.id = any (array(select p.waiver_id from waivers.directory_people p where p.filter_keys @> array[%s]))',
               key), ''), '')
      into by_people, index_people
      from (values ('$9', has_flag), ('$10', has_answer)) as people_keys (key, is_used) where is_used;

    return array[
        format('select n.id, n.place from (%s) n where (strpos(n.text, $5) > 0 %s) %s limit $7',
               format(ordered_rows, 'true'), by_minor, by_people),
        format('select n.id, n.place from (%s) n order by n.place collate "C" %2$s, n.id %2$s limit $7',
               (select string_agg(format('(%s)', format(ordered_rows, condition || index_people)), ' union ')
                  from unnest(index_terms) condition), ordering.direction)];
end
$$;

-- Counts the matching rows and stops at `up_to`.
create or replace function waivers.count_directory_rows(
        term text, state text, up_to int, template text, flag text, question text, answer text) returns bigint
    language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
    company     uuid := accounts.my_company();
    search_term text := waivers.search_term(term);
    flag_key    bigint := waivers.flag_key(company, flag);
    answer_key  bigint := waivers.answer_key(company, question, answer);
    has_people  boolean := flag_key is not null or answer_key is not null;
    -- If more waivers than this have a flag or an answer, reading waivers until enough are found is faster.
    max_found   constant int := 20000;
    found_ids   uuid[];
begin
    if (question is null) <> (answer is null) then
        perform waivers.refuse('directory_filter_unknown');
    end if;
    if has_people then
        found_ids := array(select p.waiver_id from waivers.directory_people p
                            where p.filter_keys @> array[coalesce(flag_key, answer_key)] limit max_found + 1);
        found_ids := case when cardinality(found_ids) <= max_found then found_ids end;
    end if;
    return (select count(*) from (
        select from waivers.directory_signed l
         where l.company_id = company and state in ('all', 'signed', 'revoked')
           and (state <> 'signed' or l.revoked_at is null)
           and (state <> 'revoked' or l.revoked_at is not null)
           and (template is null or l.template_id = template)
           and (found_ids is null or l.id = any (found_ids))
           and (flag_key is null or exists (
                select from waivers.directory_people p where p.waiver_id = l.id and p.filter_keys @> array[flag_key]))
           and (answer_key is null or exists (
                select from waivers.directory_people p where p.waiver_id = l.id and p.filter_keys @> array[answer_key]))
           and (search_term = ''
                or l.keys @> waivers.search_keys(company, search_term) and strpos(l.text, search_term) > 0
                or l.id = any (array(select waivers.waivers_with_minor_named(company, search_term) where search_term <> '')))
        union all
        select from waivers.directory_pending l
         where l.company_id = company and state not in ('signed', 'cancelled', 'revoked') and not has_people
           and (state <> 'pending' or l.expires_at > now() or l.expires_at is null)
           and (state <> 'expired' or l.expires_at <= now())
           and (template is null or l.template_id = template)
           and (search_term = ''
                or l.keys @> waivers.search_keys(company, search_term) and strpos(l.text, search_term) > 0)
        union all
        select from waivers.directory_cancelled l
         where l.company_id = company and state in ('all', 'cancelled') and not has_people
           and (template is null or l.template_id = template)
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
           w.revoked_at, w.template_id
      from waivers.signed w;

create or replace view waivers.directory_sessions with (security_invoker = true) as
    select s.company_id, s.id, s.expires_at, s.created_at as at, waivers.moment(s.created_at) as moment,
           waivers.name_key(coalesce(s.recipient_name, 'Anonymous')) collate "C" as name_key,
           waivers.search_text(s.recipient_name, s.recipient_email, s.template_name) as text,
           waivers.search_keys(s.company_id, waivers.search_text(s.recipient_name, s.recipient_email, s.template_name)) as keys,
           null::timestamptz as revoked_at, s.status, s.template_id
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
