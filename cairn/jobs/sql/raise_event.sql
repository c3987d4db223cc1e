-- Adds an event to the outbox. Triggers call it for users, who have no access to the outbox themselves.
create or replace function jobs.raise_event(name text, payload jsonb) returns void
    language sql security definer set search_path = ''
    begin atomic
        insert into jobs.events (name, payload) values ($1, $2);
    end;
grant execute on function jobs.raise_event to service_role;

-- Raises an event for a new row. The arguments of the trigger are the name of the event and the key under which its
-- payload contains the id of the row. With a third argument, the payload also contains the company of the row, because
-- in some queues companies take turns.
create or replace function jobs.raise_row_event() returns trigger
    language plpgsql security definer set search_path = '' as $$
declare
    payload jsonb := jsonb_build_object(tg_argv[1], new.id);
begin
    if tg_nargs > 2 then
        payload := payload || jsonb_build_object('company_id', new.company_id);
    end if;
    perform jobs.raise_event(tg_argv[0], payload);
    return null;
end
$$;
