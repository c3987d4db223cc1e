-- Adds an event to the outbox. Triggers call it for users, who have no access to the outbox themselves.
create or replace function jobs.raise_event(name text, payload jsonb) returns void
    language sql security definer set search_path = ''
    begin atomic
        insert into jobs.events (name, payload) values ($1, $2);
    end;
revoke execute on function jobs.raise_event from public;
grant execute on function jobs.raise_event to service_role;

-- The trigger function for tables that raise one event per row. Its arguments are the name of the event and the key of
-- its payload that contains the id of the row.
create or replace function jobs.raise_row_event() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    perform jobs.raise_event(tg_argv[0], jsonb_build_object(tg_argv[1], new.id));
    return null;
end
$$;
revoke execute on function jobs.raise_row_event from public;
