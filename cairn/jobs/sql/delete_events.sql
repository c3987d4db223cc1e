-- Deletes events that contain data of a person who is erased: those of the current transaction, and with `since` also those
-- written since that time. The index is by transaction, so only the second query reads all events, which are kept for a day.
create or replace function jobs.delete_events(name text, containing jsonb, since timestamptz) returns void
    language plpgsql set search_path = '' as $$
begin
    delete from jobs.events e
     where e.xid = pg_current_xact_id() and e.name = delete_events.name and e.payload @> containing;
    if since is not null then
        delete from jobs.events e where e.at >= since and e.name = delete_events.name and e.payload @> containing;
    end if;
end
$$;
revoke execute on function jobs.delete_events from public;
