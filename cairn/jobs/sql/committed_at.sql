-- Returns when a transaction committed, or null if the server does not record it (track_commit_timestamp).
create or replace function jobs.committed_at(xid xid8) returns timestamptz
    language plpgsql stable set search_path = '' as $$
begin
    if current_setting('track_commit_timestamp') = 'on' then
        return pg_xact_commit_timestamp($1::xid);
    end if;
    return null;
end
$$;
grant execute on function jobs.committed_at to public;
