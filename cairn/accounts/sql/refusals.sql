-- The refusals of this package. Runs with the owner's privileges, because callers have no access to schema `cairn`.
create or replace function accounts.refuse(code text, parameters jsonb default '{}') returns void
    language plpgsql security definer set search_path = '' as $$
declare
    refusal record;
begin
    select * into strict refusal from (values
        ('time_zone_unknown', 'PT400', 'There is no time zone called {time_zone}.')
    ) as listed (code, error_state, error_message) where listed.code = refuse.code;
    perform cairn.refuse(code, parameters, refusal.error_state, refusal.error_message);
end
$$;
