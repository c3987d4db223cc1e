-- Returns the caller's privileges on each table, view and function of one schema ($1), for the OpenAPI document.
select json_build_object(
    'tables', (
        select coalesce(json_object_agg(c.relname, array_remove(array[
                   case when has_any_column_privilege(c.oid, 'select') then 'select' end,
                   case when has_any_column_privilege(c.oid, 'insert') then 'insert' end,
                   case when has_any_column_privilege(c.oid, 'update') then 'update' end,
                   case when has_table_privilege(c.oid, 'delete') then 'delete' end], null)), '{}')
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = $1 and c.relkind in ('r', 'v', 'm', 'f', 'p')),
    'functions', (
        select coalesce(json_agg(distinct p.proname), '[]')
          from pg_proc p
          join pg_namespace n on n.oid = p.pronamespace
         where n.nspname = $1 and has_function_privilege(p.oid, 'execute')),
    'comments', (
        select coalesce(json_object_agg(concat_ws('.', c.relname, a.attname), d.description), '{}')
          from pg_description d
          join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass
          join pg_namespace n on n.oid = c.relnamespace
          left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid and d.objsubid > 0
         where n.nspname = $1)
)::text
