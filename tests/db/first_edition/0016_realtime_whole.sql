-- Every kind of change, of any table that is published; messages sent from SQL; private channels with policies.

-- Which rows exist for whom is decided by policies, but a deleted row, or a row as it was two updates ago, is in no
-- table any more. So a policy is also asked about rows that are only in the log: its own expression, written out.
create function realtime.rule(relation regclass, reader name, verb "char") returns text
    language sql stable set search_path = '' as $$
    select case
        when not c.relrowsecurity or r.rolbypassrls or r.rolsuper then 'true'
        else coalesce('(' || string_agg(p.asked, ' or ') filter (where p.permissive) || ')', 'false')
             || coalesce(' and ' || string_agg(p.asked, ' and ') filter (where not p.permissive), '')
    end
      from pg_catalog.pg_class c
      join pg_catalog.pg_roles r on r.rolname = reader
      left join lateral (
          select polpermissive as permissive,
                 '(' || coalesce(pg_get_expr(case when verb = 'a' then coalesce(polwithcheck, polqual) else polqual end,
                                             polrelid), 'true') || ')' as asked
            from pg_catalog.pg_policy
           where polrelid = c.oid and polcmd in (verb, '*')
             and (polroles = '{0}' or exists (select from unnest(polroles) as named where pg_has_role(r.oid, named, 'usage')))
      ) as p on true
     where c.oid = relation
     group by c.relrowsecurity, r.rolbypassrls, r.rolsuper
$$;

-- Of these rows, those each principal may select, with the columns its role may read. Many principals in one call,
-- because one transaction for each of two hundred readers would be most of the work. The text of a row is returned
-- to the first of a role that sees it: what a role may read of a row is the same for all who may see it.
create function realtime.seen(relation regclass, by_key boolean, entries jsonb, principals jsonb)
    returns table (principal int, entry int, record text)
    language plpgsql set search_path = '' as $$
declare
    caller text := current_setting('role');
    reader record;
    asked  text;
    of     text := '';
    shown  record;
    known  int[];
begin
    for reader in
        select p.number::int as number, p.principal ->> 'role' as "role", p.principal ->> 'claims' as claims
          from jsonb_array_elements(principals) with ordinality as p (principal, number)
         order by 2, 1
    loop
        perform set_config('role', caller, true);
        if reader."role" <> of then
            of := reader."role";
            asked := realtime.asked(relation, by_key, of);
            known := '{}';
        end if;
        continue when asked is null;
        -- A policy that fails for one must not cost the others theirs.
        begin
            perform set_config('role', of, true), set_config('request.jwt.claims', reader.claims, true);
            for shown in execute asked using entries, known loop
                known := known || shown.number;
                return query select reader.number, shown.number, shown.record;
            end loop;
        exception when others then
            return query select reader.number, null::int, sqlerrm;
        end;
    end loop;
    perform set_config('role', caller, true);
end
$$;

create function realtime.asked(relation regclass, by_key boolean, reader name) returns text
    language sql stable set search_path = '' as $$
    select case when by_key
        then format('select e.number::int, case when e.number <> all ($2) then to_json(shown)::text end as record
                       from jsonb_array_elements_text($1) with ordinality as e (id, number)
                      cross join lateral (select %s from %s where id = e.id::%s) as shown',
                    columns, relation, (select format_type(k.atttypid, k.atttypmod) from pg_catalog.pg_attribute k
                                         where k.attrelid = relation and k.attname = 'id'))
        else format('select e.number::int, case when e.number <> all ($2) then to_json(shown)::text end as record
                       from jsonb_array_elements($1) with ordinality as e (logged, number)
                      cross join lateral (
                          select %s from jsonb_populate_record(null::%s, e.logged) as %I where %s) as shown',
                    columns, relation, (select c.relname from pg_catalog.pg_class c where c.oid = relation),
                    realtime.rule(relation, reader, 'r'))
        end
      from (select string_agg(quote_ident(attname), ', ' order by attnum) as columns
              from pg_catalog.pg_attribute
             where attrelid = relation and attnum > 0 and not attisdropped
               and has_column_privilege(reader, attrelid, attnum, 'select')) as readable
$$;

-- Publishing

create or replace function realtime.note_change() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    facts jsonb := jsonb_build_object('schema', tg_argv[0], 'table', tg_argv[1], 'type', tg_op);
begin
    -- tg_argv: the schema and table under which the wire knows this row, and whether its key alone is noted.
    if tg_argv[2] = 'key' then
        facts := facts || jsonb_build_object('id', new.id);
    else
        if tg_op <> 'DELETE' then facts := facts || jsonb_build_object('record', to_jsonb(new)); end if;
        if tg_op <> 'INSERT' then facts := facts || jsonb_build_object('old', to_jsonb(old)); end if;
    end if;
    perform jobs.raise_event('row.changed', facts);
    return null;
end
$$;

-- The whole row is noted, as it was and as it became: what is told later is what was committed then.
-- `only_inserts` is for tables whose rows never change: their key is enough, and a large row is not written twice.
create function realtime.publish(relation regclass, known_as text default null, only_inserts boolean default false)
    returns void language plpgsql set search_path = '' as $$
declare
    own  text[] := (select array[n.nspname, c.relname] from pg_catalog.pg_class c
                      join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = relation);
    wire text[] := coalesce(parse_ident(known_as), own);
begin
    if wire <> own and not only_inserts then
        raise exception 'A table known under another name is published by its key: say only_inserts => true.';
    end if;
    execute format('drop trigger if exists note_change on %s', relation);
    execute format('create trigger note_change after %s on %s for each row execute function realtime.note_change(%L, %L, %L)',
        case when only_inserts then 'insert' else 'insert or update or delete' end, relation, wire[1], wire[2],
        case when only_inserts then 'key' else 'row' end);
end
$$;

create function realtime.unpublish(relation regclass) returns void
    language plpgsql set search_path = '' as $$
begin
    execute format('drop trigger if exists note_change on %s', relation);
end
$$;

select realtime.publish('waivers.signed', known_as => 'public.signed_waivers', only_inserts => true);
select realtime.publish('public.notifications');

-- When a transaction committed, where the server keeps that (track_commit_timestamp).
create function jobs.committed_at(xid xid8) returns timestamptz
    language plpgsql stable set search_path = '' as $$
begin
    if current_setting('track_commit_timestamp') = 'on' then
        return pg_xact_commit_timestamp($1::xid);
    end if;
    return null;
end
$$;

-- Messages

create table realtime.messages (
    id             uuid primary key default gen_random_uuid(),
    topic          text not null,
    extension      text not null check (extension in ('broadcast', 'presence')),
    event          text,
    payload        jsonb,
    binary_payload bytea,
    private        boolean not null default false,
    inserted_at    timestamptz not null default clock_timestamp(),
    -- Whether a subscriber is told of it by replay or as news: the transaction says which, the clock would not.
    xid            xid8 not null default pg_current_xact_id()
);
create index messages_newest_idx on realtime.messages (topic, inserted_at desc) where private;
create index messages_age_idx on realtime.messages (inserted_at);
alter table realtime.messages enable row level security;
comment on table realtime.messages is
    'Messages sent from SQL, kept three days for replay. Its policies decide who may use which private channel.';

-- The topic a private channel is being asked about, without the prefix of the wire.
create function realtime.topic() returns text
    language sql stable
    return nullif(current_setting('realtime.topic', true), '');

-- Whether the caller may read from ('r') or write to ('a') the topic in question.
create function realtime.may(verb "char", extension text) returns boolean
    language plpgsql stable set search_path = '' as $$
declare
    allowed boolean;
begin
    if not has_table_privilege('realtime.messages', case verb when 'r' then 'select' else 'insert' end) then
        return false;
    end if;
    execute format('select exists (select from jsonb_populate_record(null::realtime.messages, $1) as messages where %s)',
                   realtime.rule('realtime.messages', current_user, verb))
       into allowed
      using jsonb_build_object('id', gen_random_uuid(), 'topic', realtime.topic(), 'extension', extension,
                               'private', true, 'inserted_at', now());
    return allowed;
end
$$;

create function realtime.message_sent() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform jobs.raise_event('broadcast.sent', jsonb_build_object('message_id', new.id));
    return null;
end
$$;
create trigger message_sent after insert on realtime.messages
    for each row when (new.extension = 'broadcast') execute function realtime.message_sent();

create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
    language sql security definer set search_path = ''
    begin atomic
        insert into realtime.messages (topic, extension, event, payload, private)
        values (topic, 'broadcast', event, payload, private);
    end;

create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
    language sql security definer set search_path = ''
    begin atomic
        insert into realtime.messages (topic, extension, event, binary_payload, private)
        values (topic, 'broadcast', event, payload, private);
    end;

-- For triggers: what happened to a row, to whoever may listen on a private topic.
create function realtime.broadcast_changes(
    topic_name text, event_name text, operation text, table_name text, table_schema text,
    new record, old record, level text default 'ROW') returns void
    language plpgsql security definer set search_path = '' as $$
begin
    if level = 'STATEMENT' then
        raise exception 'Only changes of rows can be broadcast: create the trigger for each row.';
    end if;
    perform realtime.send(jsonb_build_object(
        'schema', table_schema, 'table', table_name, 'operation', operation, 'id', gen_random_uuid(),
        'record', case when operation <> 'DELETE' then to_jsonb(new) end,
        'old_record', case when operation <> 'INSERT' then to_jsonb(old) end), event_name, topic_name, true);
end
$$;

-- What private channels there are: a company has all whose name begins with its own, `company:<id>` or `company:<id>:…`.
create function accounts.is_my_companys_topic(topic text) returns boolean
    language sql stable
    return topic = 'company:' || accounts.my_company() or starts_with(topic, 'company:' || accounts.my_company() || ':');

create policy "people of a company listen on its own topics" on realtime.messages
    for select to authenticated using (accounts.is_my_companys_topic((select realtime.topic())));
create policy "people of a company speak on its own topics" on realtime.messages
    for insert to authenticated with check (accounts.is_my_companys_topic((select realtime.topic())));

grant usage on schema realtime to anon, authenticated, service_role;
grant select, insert on realtime.messages to anon, authenticated;
grant select, insert, delete on realtime.messages to service_role;
revoke execute on all functions in schema realtime from public;
grant execute on function realtime.topic, realtime.may, realtime.rule to anon, authenticated, service_role;
grant execute on function realtime.seen, realtime.asked, realtime.send, realtime.send_binary, realtime.broadcast_changes
    to service_role;
grant execute on function jobs.committed_at to service_role;
