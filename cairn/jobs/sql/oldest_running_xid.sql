-- Returns the oldest transaction of this database that may still be running, or, if none is, a number above all transactions
-- that have ended. A snapshot contains the transactions of all databases of the cluster; those of other databases are left out,
-- because they cannot write here. A transaction that is in the snapshot and ends before its database is read counts as one of
-- this database, so the result is never too high.
create or replace function jobs.oldest_running_xid() returns xid8
    language sql stable set search_path = '' as $$
    select coalesce(min(running.xid), pg_snapshot_xmax(pg_current_snapshot()))
      from pg_snapshot_xip(pg_current_snapshot()) as running (xid)
     where not exists (select from pg_stat_activity a
                        where a.backend_xid = running.xid::xid and a.datname <> current_database())
       and not exists (select from pg_prepared_xacts p
                        where p.transaction = running.xid::xid and p.database <> current_database())
$$;
grant execute on function jobs.oldest_running_xid to service_role;
