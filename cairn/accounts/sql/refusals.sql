-- Raises one of the refusals that this package lists here. Runs with the owner's privileges, because callers have no
-- access to schema `cairn`.
create or replace function accounts.refuse(code text, parameters jsonb default '{}') returns void
    language sql security definer set search_path = ''
    return cairn.raise_refusal(code, parameters, $${
        "company_suspended":       ["PT403", "Your company is suspended, so nothing can be sent or changed. All records stay readable. Please contact support."],
        "time_zone_unknown":       ["PT400", "There is no time zone called {time_zone}."],
        "reply_to_not_single":     ["PT400", "Please enter one email address for replies, without brackets, quotes or commas."],
        "sender_name_has_address": ["PT400", "Please enter a name without an email or web address. Guests see it as the sender of your emails."],
        "sender_name_is_brand":    ["PT400", "The name {name} is that of another well-known company. Please enter the name your guests know you by."]
    }$$);
grant execute on function accounts.refuse to public;
