-- Raises one of the refusals that this package lists here. Runs with the owner's privileges, because callers have no
-- access to schema `cairn`.
create or replace function billing.refuse(code text, parameters jsonb default '{}') returns void
    language sql security definer set search_path = ''
    return cairn.raise_refusal(code, parameters, $${
        "basic_limit_reached": ["PT402", "The Basic plan covers {covered} waivers a month, and that many were sent in {month_name}. The Professional plan has no limit."],
        "free_limit_reached":  ["PT402", "Without a plan you can send {covered} waivers a month, and that many were sent in {month_name}. The Professional plan has no limit."]
    }$$);
