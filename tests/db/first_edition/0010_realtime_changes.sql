-- Row changes for open browsers travel through the same outbox as every other event. Only the key is written: each
-- subscriber reads the row itself, with its own rights, so nobody is shown what they could not have selected.

create schema realtime;

create function realtime.note_change() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    -- tg_argv: the schema and table under which the wire knows this row.
    perform jobs.raise_event('row.changed', jsonb_build_object(
        'schema', tg_argv[0], 'table', tg_argv[1], 'type', tg_op, 'id', new.id));
    return null;
end
$$;

create trigger note_change after insert on waivers.signed
    for each row execute function realtime.note_change('public', 'signed_waivers');
create trigger note_change after insert on public.notifications
    for each row execute function realtime.note_change('public', 'notifications');

-- The app asks for this at its start. The table is live from the beginning; no other may be asked for.
create function public.enable_realtime_for_table(table_name text) returns void
    language plpgsql as $$
begin
    if table_name is distinct from 'signed_waivers' then
        raise exception 'Realtime cannot be enabled for this table.' using errcode = '42501';
    end if;
end
$$;
revoke execute on function public.enable_realtime_for_table from public;
grant execute on function public.enable_realtime_for_table to anon, authenticated, service_role;
