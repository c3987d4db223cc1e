-- The refusals of this package. Runs with the owner's privileges, because callers have no access to schema `cairn`.
create or replace function billing.refuse(code text, parameters jsonb default '{}') returns void
    language plpgsql security definer set search_path = '' as $$
declare
    refusal record;
begin
    select * into strict refusal from (values
        ('basic_limit_reached', 'PT402', 'The Basic plan covers {covered} waivers a month, and that many were sent in {month_name}. The Professional plan has no limit.'),
        ('free_limit_reached',  'PT402', 'Without a plan you can send {covered} waivers a month, and that many were sent in {month_name}. The Professional plan has no limit.')
    ) as listed (code, error_state, error_message) where listed.code = refuse.code;
    perform cairn.refuse(code, parameters, refusal.error_state, refusal.error_message);
end
$$;
revoke execute on function billing.refuse from public;
