-- Returns everything that planning needs as one JSON document. $1 is the list of exposed schemas.
-- Tables of other schemas are included, because a view in an exposed schema may select from them.
with relation as (
    select c.oid, n.nspname as schema, c.relname as name, c.relkind as kind, c.reltype as type
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'v', 'm', 'f', 'p')
       and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
)
select json_build_object(
    'tables', (
        select coalesce(json_agg(json_build_object(
                   'oid', r.oid::int8, 'schema', r.schema, 'name', r.name, 'type', r.type::int8,
                   'exposed', r.schema = any ($1::text[]),
                   'updatable_bits', case when r.schema = any ($1::text[]) then pg_relation_is_updatable(r.oid, true) else 0 end,
                   -- If a column is missing in an insert into an updatable view without a trigger, the default of the table applies.
                   'inherits_defaults', r.kind = 'v' and pg_relation_is_updatable(r.oid, false) & 8 <> 0,
                   'columns', (
                       select coalesce(json_agg(json_build_object(
                                  'number', a.attnum, 'name', a.attname, 'type', a.atttypid::int8,
                                  'default', case when a.attidentity <> '' then
                                                      (select format('nextval(%L::oid::regclass)', s.objid) from pg_depend s
                                                        where s.refobjid = a.attrelid and s.refobjsubid = a.attnum
                                                          and s.refclassid = 'pg_class'::regclass
                                                          and s.classid = 'pg_class'::regclass and s.deptype = 'i')
                                                  when a.attgenerated = '' then
                                                      coalesce(pg_get_expr(d.adbin, d.adrelid), pg_get_expr(t.typdefaultbin, 0)) end
                              ) order by a.attnum), '[]')
                         from pg_attribute a
                         join pg_type t on t.oid = a.atttypid
                         left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                        where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped),
                   'keys', (
                       select coalesce(json_agg(json_build_object(
                                  'primary', i.indisprimary,
                                  'columns', (i.indkey::int2[])[0:i.indnkeyatts - 1]) order by i.indisprimary desc), '[]')
                         from pg_index i
                        where i.indrelid = r.oid and i.indisunique and i.indpred is null and i.indexprs is null),
                   -- The rewrite rule of a view shows which table column each of its columns comes from.
                   'rule', (select w.ev_action::text from pg_rewrite w
                             where w.ev_class = r.oid and w.ev_type = '1' and r.kind in ('v', 'm'))
               ) order by r.schema, r.name), '[]')
          from relation r),
    'foreign_keys', (
        select coalesce(json_agg(json_build_object(
                   'name', k.conname, 'source', k.conrelid::int8, 'target', k.confrelid::int8,
                   'columns', k.conkey, 'target_columns', k.confkey) order by k.conname), '[]')
          from pg_constraint k
         where k.contype = 'f' and k.conparentid = 0),
    'functions', (
        select coalesce(json_agg(json_build_object(
                   'schema', n.nspname, 'name', p.proname, 'volatile', p.provolatile = 'v',
                   'names', p.proargnames, 'modes', p.proargmodes,
                   'types', coalesce(p.proallargtypes, p.proargtypes::oid[])::int8[],
                   'defaults', p.pronargdefaults,
                   'returns', p.prorettype::int8, 'returns_set', p.proretset, 'rows', p.prorows) order by p.proname, p.oid), '[]')
          from pg_proc p
          join pg_namespace n on n.oid = p.pronamespace
         where n.nspname = any ($1::text[]) and p.prokind = 'f'
           and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)),
    'geojson', (
        select json_build_array(n.nspname, p.proname)
          from pg_proc p
          join pg_namespace n on n.oid = p.pronamespace
         where p.proname = 'st_asgeojson' and p.proargtypes[0] = 'record'::regtype
         limit 1),
    'types', (
        select json_agg(json_build_object(
                   'oid', t.oid::int8, 'name', t.typname, 'display', format_type(t.oid, null), 'schema', n.nspname,
                   'category', t.typcategory, 'kind', t.typtype, 'relation', t.typrelid::int8,
                   'array', nullif(t.typarray::int8, 0), 'base', nullif(t.typbasetype::int8, 0)))
          from pg_type t
          join pg_namespace n on n.oid = t.typnamespace
         where t.typrelid = 0 or n.nspname !~ '^(pg_|information_schema$)')
)::text
