-- Makes the outbox valid after a restore into a cluster whose transaction counter is behind. There, the reader would wait until
-- the counter has passed the old position. Returns whether anything had to change. The owner of the database calls it at every
-- start. In the cluster that wrote the events it changes nothing, because all their transactions are below the end of the
-- snapshot.
create or replace function jobs.rebase_positions() returns boolean
    language plpgsql set search_path = '' as $$
begin
    -- Another server may start at the same time, and a worker may read.
    perform from jobs.readers for update;
    if not exists (select from jobs.readers r where r.xid >= pg_snapshot_xmax(pg_current_snapshot()))
       and not exists (select from jobs.events e where e.xid >= pg_snapshot_xmax(pg_current_snapshot())) then
        return false;
    end if;
    -- No reader needs the events that were read before. An event that was raised after the restore has a low transaction,
    -- like one that was read, but a new id.
    delete from jobs.events e
     using jobs.readers r
     where (e.xid, e.id) <= (r.xid, r.id)
       and (e.id <= r.id or e.xid >= pg_snapshot_xmax(pg_current_snapshot()));
    -- The other events keep the order of their ids, and come before every transaction of this cluster.
    update jobs.events set xid = '1';
    update jobs.readers set xid = '0', id = 0;
    return true;
end
$$;
