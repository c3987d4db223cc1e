-- Raises one of the refusals that this package lists here. Runs with the owner's privileges, because callers have no
-- access to schema `cairn`.
create or replace function realtime.refuse(code text, parameters jsonb default '{}') returns void
    language sql security definer set search_path = ''
    return cairn.raise_refusal(code, parameters, $${
        "realtime_not_available":      ["42501", "Realtime cannot be enabled for this table."],
        "publish_needs_only_inserts":  ["P0001", "A table known under another name is published by its key: say only_inserts => true."],
        "broadcast_needs_row_trigger": ["P0001", "Only changes of rows can be broadcast: create the trigger for each row."]
    }$$);
grant execute on function realtime.refuse to anon, authenticated, service_role;
