-- Creates a trigger that writes each change of the table to the outbox, with the whole row before and after the change.
-- Subscribers therefore receive what was committed, even if the row has changed since. `only_inserts` is for tables whose
-- rows never change. For them the outbox contains only the key, so that a large row is not stored twice. `known_as` is
-- the schema and name under which clients know the table, if they differ from its own.
create or replace function realtime.publish(
        relation regclass, known_as text default null, only_inserts boolean default false)
    returns void
    language plpgsql set search_path = '' as $$
declare
    own_name    text[] := (select array[n.nspname, c.relname] from pg_catalog.pg_class c
                             join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = relation);
    client_name text[] := coalesce(parse_ident(known_as), own_name);
begin
    if client_name <> own_name and not only_inserts then
        perform realtime.refuse('publish_needs_only_inserts');
    end if;
    execute format('drop trigger if exists note_change on %s', relation);
    execute format(
        'create trigger note_change after %s on %s for each row execute function realtime.note_change(%L, %L, %L)',
        case when only_inserts then 'insert' else 'insert or update or delete' end,
        relation, client_name[1], client_name[2],
        case when only_inserts then 'key' else 'row' end);
end
$$;

-- Removes the trigger that `publish` created.
create or replace function realtime.unpublish(relation regclass) returns void
    language plpgsql set search_path = '' as $$
begin
    execute format('drop trigger if exists note_change on %s', relation);
end
$$;

-- The trigger function of published tables.
create or replace function realtime.note_change() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    payload jsonb := jsonb_build_object('schema', tg_argv[0], 'table', tg_argv[1], 'type', tg_op);
begin
    -- The arguments in tg_argv are the schema and table name that clients know, and whether to record the key or the row. With
    -- 'key', a fourth argument means that only the policies of this table decide who sees the row. The company is then recorded
    -- too, so that the row is checked only for the people of that company (see `realtime.possible_readers`).
    if tg_argv[2] = 'key' then
        payload := payload || jsonb_build_object('id', new.id);
        if tg_nargs > 3 then
            payload := payload || jsonb_build_object('company_id', new.company_id);
        end if;
    else
        if tg_op <> 'DELETE' then payload := payload || jsonb_build_object('record', to_jsonb(new)); end if;
        if tg_op <> 'INSERT' then payload := payload || jsonb_build_object('old', to_jsonb(old)); end if;
    end if;
    perform jobs.raise_event('row.changed', payload);
    return null;
end
$$;

-- The app calls this function when it starts. It changes nothing: signed_waivers is always published, and no other table
-- can be enabled this way.
create or replace function public.enable_realtime_for_table(table_name text) returns void
    language plpgsql as $$
begin
    if table_name is distinct from 'signed_waivers' then
        perform realtime.refuse('realtime_not_available');
    end if;
end
$$;
grant execute on function public.enable_realtime_for_table to anon, authenticated, service_role;
