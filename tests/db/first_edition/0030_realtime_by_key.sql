-- Rows that are known by their key are found by it, however many there are: asked one after another, Postgres expected
-- a hundred keys and read a company's whole table for one.
create or replace function realtime.asked(relation regclass, by_key boolean, reader name) returns text
    language sql stable set search_path = '' as $$
    select case when by_key
        then format('select array_position(asked.ids, found.id) as number,
                            case when array_position(asked.ids, found.id) <> all ($2)
                                 then (select to_json(shown)::text from (select %s) as shown) end as record
                       from (select array_agg(e.id::%s order by e.number) as ids
                               from jsonb_array_elements_text($1) with ordinality as e (id, number)) as asked
                       join %s as found on found.id = any (asked.ids)',
                    string_agg(format('found.%I', attname), ', ' order by attnum),
                    (select format_type(k.atttypid, k.atttypmod) from pg_catalog.pg_attribute k
                      where k.attrelid = relation and k.attname = 'id'),
                    relation)
        else format('select e.number::int, case when e.number <> all ($2) then to_json(shown)::text end as record
                       from jsonb_array_elements($1) with ordinality as e (logged, number)
                      cross join lateral (
                          select %s from jsonb_populate_record(null::%s, e.logged) as %I where %s) as shown',
                    string_agg(quote_ident(attname), ', ' order by attnum), relation,
                    (select c.relname from pg_catalog.pg_class c where c.oid = relation),
                    realtime.rule(relation, reader, 'r'))
        end
      from pg_catalog.pg_attribute
     where attrelid = relation and attnum > 0 and not attisdropped
       and has_column_privilege(reader, attrelid, attnum, 'select')
$$;
