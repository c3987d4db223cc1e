-- Returns today in UTC. The months of billing are in UTC too.
create or replace function messaging.today() returns date
    language sql stable
    return (now() at time zone 'UTC')::date;
grant execute on function messaging.today to public;
