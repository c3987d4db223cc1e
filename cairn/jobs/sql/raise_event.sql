-- Adds an event to the outbox. Triggers call it for users, who have no access to the outbox themselves.
create or replace function jobs.raise_event(name text, payload jsonb) returns void
    language sql security definer set search_path = ''
    begin atomic
        insert into jobs.events (name, payload) values ($1, $2);
    end;
revoke execute on function jobs.raise_event from public;
grant execute on function jobs.raise_event to service_role;
