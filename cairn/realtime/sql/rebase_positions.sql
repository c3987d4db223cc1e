-- After a restore into a cluster whose transaction counter is behind, stored messages would seem to come from the future and
-- would not be replayed. Closed channels are deleted, because no client of the other cluster joins again. Returns whether a message
-- had to change. See `jobs.rebase_positions`.
create or replace function realtime.rebase_positions() returns boolean
    language plpgsql set search_path = '' as $$
begin
    delete from realtime.closed_channels c
     where pg_snapshot_xmax(c.delivered) > pg_snapshot_xmax(pg_current_snapshot());
    update realtime.messages set xid = '1' where xid >= pg_snapshot_xmax(pg_current_snapshot());
    return found;
end
$$;
