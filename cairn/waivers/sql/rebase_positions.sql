-- After a restore into a cluster whose transaction counter is behind, the position of the signed heads would not move until the
-- counter has passed `next_xid`. Returns whether anything had to change. See `jobs.rebase_positions`.
create or replace function waivers.rebase_positions() returns boolean
    language plpgsql set search_path = '' as $$
begin
    update waivers.head_position set next_xid = '1' where next_xid > pg_snapshot_xmax(pg_current_snapshot());
    return found;
end
$$;
