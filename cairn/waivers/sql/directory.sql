-- The list of Waiver Management: signed records and pending sessions together, searched, filtered, sorted and paged
-- here, so that a browser never holds more than it displays. "expired" is not stored: it is a pending session whose
-- time has passed. The rows are read with the caller's privileges; pass `place` and `id` of the last row to get the
-- next page.
create or replace function public.waiver_directory(
        term text default '', state text default 'all', sorted text default 'newest',
        after_place text default null, after_id uuid default null, up_to int default 100)
    returns table (id uuid, type text, session_id uuid, template_id text, template_name text, name text, email text,
                   status text, at timestamptz, signature text, content text, place text)
    language sql stable as $$
    select * from (
        select w.id, 'signed' as type, w.session_id, w.template_id, w.template_name, w.signer_name, w.signer_email,
               'signed' as status, w.signed_at, w.signature, w.content, f.place
          from waivers.listed('signed', term, state, sorted, after_place, after_id, least(greatest(up_to, 1), 1000)) f
          join waivers.signed w on w.id = f.id
         where state in ('all', 'signed')
        union all
        select s.id, 'pending', s.id, s.template_id, s.template_name, coalesce(s.recipient_name, 'Anonymous'),
               s.recipient_email, case when s.expires_at <= now() then 'expired' else 'pending' end, s.created_at, null,
               s.template_content, f.place
          from waivers.listed('pending', term, state, sorted, after_place, after_id, least(greatest(up_to, 1), 1000)) f
          join waivers.sessions s on s.id = f.id
         where state <> 'signed'
    ) as listed (id, type, session_id, template_id, template_name, name, email, status, at, signature, content, place)
    order by case when sorted in ('newest', 'z-a') then listed.place end collate "C" desc,
             case when sorted in ('newest', 'z-a') then listed.id end desc,
             listed.place collate "C", listed.id
    limit least(greatest(up_to, 1), 1000)
$$;
revoke execute on function public.waiver_directory from public;
grant execute on function public.waiver_directory to authenticated;

create or replace function public.count_waiver_directory(
        term text default '', state text default 'all', up_to int default 10000)
    returns bigint
    language sql stable
    return waivers.count_listed(term, state, least(greatest(up_to, 1), 10000));
revoke execute on function public.count_waiver_directory from public;
grant execute on function public.count_waiver_directory to authenticated;

-- One page of one kind of row: ids of the caller's company with the sort key of each. It runs with the owner's
-- privileges, because row-level security keeps the trigram condition from using its index.
create or replace function waivers.listed(
        kind text, term text, state text, sorted text, after_place text, after_id uuid, up_to int)
    returns table (id uuid, place text)
    language plpgsql stable security definer set search_path = '' as $$
declare
    company    uuid := accounts.my_company();
    wanted     text := lower(trim(term));
    ordering   record;
    page_query text;
    missing    int := up_to;
begin
    select * into ordering from (values
        ('newest', 'at',       'moment',   'timestamptz', '<', 'desc'),
        ('oldest', 'at',       'moment',   'timestamptz', '>', 'asc'),
        ('a-z',    'name_key', 'name_key', 'text',        '>', 'asc'),
        ('z-a',    'name_key', 'name_key', 'text',        '<', 'desc')
    ) as known (name, key, place, type, beyond, way) where name = sorted;
    if ordering is null or state not in ('all', 'signed', 'pending', 'expired') then
        perform waivers.refuse('directory_filter_unknown');
    end if;

    page_query := format($q$
        select n.id, n.place
          from (select l.id, l.%1$I as place, l.text
                  from waivers.%2$I l
                 where l.company_id = $1
                   and ($2 <> 'pending' or l.expires_at > now() or l.expires_at is null)
                   and ($2 <> 'expired' or l.expires_at <= now())
                   and ($3 is null or (l.%3$I, l.id) %4$s ($3::%5$s, $4))
                   and (not $5 or l.keys @> waivers.search_keys($1, $6) and strpos(l.text, $6) > 0)
                 order by l.%3$I %6$s, l.id %6$s
                 limit $7) n
         where strpos(n.text, $6) > 0
         limit $8
    $q$, ordering.place, 'listed_' || kind, ordering.key, ordering.beyond, ordering.type, ordering.way);

    -- A common term is found among the next 2,000 rows. Only if those do not fill the page, the trigram index finds the
    -- rest: it knows every match, but not in sort order.
    for by_trigrams in 0 .. (wanted <> '')::int loop
        for id, place in execute page_query
            using company, state, after_place, after_id, by_trigrams = 1, wanted,
                  case when wanted = '' or by_trigrams = 1 then missing else 2000 end, missing
        loop
            return next;
            missing := missing - 1;
            after_place := place;
            after_id := id;
        end loop;
        exit when missing = 0;
    end loop;
end
$$;
revoke execute on function waivers.listed from public;
grant execute on function waivers.listed to authenticated;

-- Counts the matching rows and stops at `up_to`.
create or replace function waivers.count_listed(term text, state text, up_to int) returns bigint
    language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
    company uuid := accounts.my_company();
    wanted  text := lower(trim(term));
begin
    return (select count(*) from (
        select from waivers.listed_signed l
         where l.company_id = company and state in ('all', 'signed')
           and (wanted = '' or l.keys @> waivers.search_keys(company, wanted) and strpos(l.text, wanted) > 0)
        union all
        select from waivers.listed_pending l
         where l.company_id = company and state <> 'signed'
           and (state <> 'pending' or l.expires_at > now() or l.expires_at is null)
           and (state <> 'expired' or l.expires_at <= now())
           and (wanted = '' or l.keys @> waivers.search_keys(company, wanted) and strpos(l.text, wanted) > 0)
        limit up_to) as counted);
end
$$;
revoke execute on function waivers.count_listed from public;
grant execute on function waivers.count_listed to authenticated;

-- The two kinds of row with the same column names. Postgres inlines these views, so queries still use the indexes.
create or replace view waivers.listed_signed with (security_invoker = true) as
    select w.company_id, w.id, null::timestamptz as expires_at, w.signed_at as at, waivers.moment(w.signed_at) as moment,
           waivers.name_key(w.signer_name) collate "C" as name_key,
           waivers.search_text(w.signer_name, w.signer_email, w.template_name) as text,
           waivers.search_keys(w.company_id, waivers.search_text(w.signer_name, w.signer_email, w.template_name)) as keys
      from waivers.signed w;

create or replace view waivers.listed_pending with (security_invoker = true) as
    select s.company_id, s.id, s.expires_at, s.created_at as at, waivers.moment(s.created_at) as moment,
           waivers.name_key(coalesce(s.recipient_name, 'Anonymous')) collate "C" as name_key,
           waivers.search_text(s.recipient_name, s.recipient_email, s.template_name) as text,
           waivers.search_keys(s.company_id, waivers.search_text(s.recipient_name, s.recipient_email, s.template_name)) as keys
      from waivers.sessions s
     where s.status = 'pending';

-- A timestamp as text that sorts in the order of time.
create or replace function waivers.moment(at timestamptz) returns text
    language sql immutable parallel safe
    return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
