-- The day in UTC, like the months of billing.
create or replace function messaging.today() returns date
    language sql stable
    return (now() at time zone 'UTC')::date;
grant execute on function messaging.today to public;
