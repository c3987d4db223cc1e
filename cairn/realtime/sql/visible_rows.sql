-- Returns the rows that each principal may select, with the columns that its role may read. One call handles many
-- principals, because a transaction for each of two hundred subscribers would be most of the cost. The JSON of a row is
-- returned only for the first principal of a role that sees the row, because all principals of a role read the same
-- columns. `entries` are the rows in the outbox: with `by_key` their ids, otherwise whole rows as JSON. Each principal has a
-- role, claims, and the numbers of the entries to check. If a policy raises an error for a principal, it gets one row without
-- `entry`, whose `record` is the text of the error.
create or replace function realtime.visible_rows(relation regclass, by_key boolean, entries jsonb, principals jsonb)
    returns table (principal int, entry int, record text)
    language plpgsql set search_path = '' as $$
declare
    caller        text := current_setting('role');
    reader        record;
    visible_query text;
    reader_role   text := '';
    visible_row   record;
    returned_rows int[];
begin
    for reader in
        select p.number::int as number, p.principal ->> 'role' as "role", p.principal ->> 'claims' as claims,
               array(select e::int from jsonb_array_elements_text(p.principal -> 'entries') as e) as entry_numbers
          from jsonb_array_elements(principals) with ordinality as p (principal, number)
         order by 2, 1
    loop
        perform set_config('role', caller, true);
        if reader."role" <> reader_role then
            reader_role := reader."role";
            visible_query := realtime.visible_rows_query(relation, by_key, reader_role);
            returned_rows := '{}';
        end if;
        continue when visible_query is null;
        -- A policy that raises an error for one principal must not affect the others.
        begin
            perform set_config('role', reader_role, true), set_config('request.jwt.claims', reader.claims, true);
            for visible_row in execute visible_query using entries, returned_rows, reader.entry_numbers loop
                returned_rows := returned_rows || visible_row.number;
                return query select reader.number, visible_row.number, visible_row.record;
            end loop;
        exception when others then
            return query select reader.number, null::int, sqlerrm;
        end;
    end loop;
    perform set_config('role', caller, true);
end
$$;
grant execute on function realtime.visible_rows to service_role;

-- Returns the query that reads the rows which one role may see. Its parameters are the entries of the outbox ($1), the
-- numbers of the rows whose JSON was already returned ($2), and the numbers of the rows to check ($3). Rows of which the
-- outbox contains only the ids are fetched with `= any (ids)`. A lateral join for each id would be slower: Postgres expects
-- a hundred ids, and then reads all rows of a company even for one id. Row-level security applies to rows that are fetched. All
-- other rows come from the outbox and not from the table, so the query contains the condition that `realtime.rule` returns.
create or replace function realtime.visible_rows_query(relation regclass, by_key boolean, reader name) returns text
    language sql stable set search_path = '' as $$
    select case when by_key
        then format('select array_position(requested.ids, found.id) as number,
                            case when array_position(requested.ids, found.id) <> all ($2)
                                 then (select to_json(shown)::text from (select %1$s) as shown) end as record
                       from (select array_agg(e.id::%2$s order by e.number) as ids,
                                    array_agg(e.id::%2$s) filter (where e.number = any ($3)) as checked_ids
                               from jsonb_array_elements_text($1) with ordinality as e (id, number)) as requested
                       join %3$s as found on found.id = any (requested.checked_ids)',
                    string_agg(format('found.%I', attname), ', ' order by attnum),
                    (select format_type(k.atttypid, k.atttypmod) from pg_catalog.pg_attribute k
                      where k.attrelid = relation and k.attname = 'id'),
                    relation)
        else format('select e.number::int, case when e.number <> all ($2) then to_json(shown)::text end as record
                       from jsonb_array_elements($1) with ordinality as e (entry, number)
                      cross join lateral (
                          select %s from jsonb_populate_record(null::%s, e.entry) as %I where %s) as shown
                      where e.number = any ($3)',
                    string_agg(quote_ident(attname), ', ' order by attnum), relation,
                    (select c.relname from pg_catalog.pg_class c where c.oid = relation),
                    realtime.rule(relation, reader, 'r'))
        end
      from pg_catalog.pg_attribute
     where attrelid = relation and attnum > 0 and not attisdropped
       and has_column_privilege(reader, attrelid, attnum, 'select')
$$;
grant execute on function realtime.visible_rows_query to service_role;

-- Returns the conditions of the table's policies as one SQL expression. Policies decide who sees which rows of the table,
-- but a deleted row, or an earlier version of a row, is only in the outbox. The expression can be evaluated for these.
-- `verb` is 'r' for reading or 'a' for adding rows, as in pg_policy.polcmd.
create or replace function realtime.rule(relation regclass, reader name, verb "char") returns text
    language sql stable set search_path = '' as $$
    select case
        when not c.relrowsecurity or r.rolbypassrls or r.rolsuper then 'true'
        else coalesce('(' || string_agg(p.condition, ' or ') filter (where p.permissive) || ')', 'false')
             || coalesce(' and ' || string_agg(p.condition, ' and ') filter (where not p.permissive), '')
    end
      from pg_catalog.pg_class c
      join pg_catalog.pg_roles r on r.rolname = reader
      left join lateral (
          select polpermissive as permissive,
                 '(' || coalesce(pg_get_expr(case when verb = 'a' then coalesce(polwithcheck, polqual) else polqual end,
                                             polrelid), 'true') || ')' as condition
            from pg_catalog.pg_policy
           where polrelid = c.oid and polcmd in (verb, '*')
             and (polroles = '{0}'
                  or exists (select from unnest(polroles) as policy_role where pg_has_role(r.oid, policy_role, 'usage')))
      ) as p on true
     where c.oid = relation
     group by c.relrowsecurity, r.rolbypassrls, r.rolsuper
$$;
grant execute on function realtime.rule to anon, authenticated, service_role;
