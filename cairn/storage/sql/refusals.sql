-- Raises one of the refusals that this package lists here. Runs with the owner's privileges, because callers have no
-- access to schema `cairn`.
create or replace function storage.refuse(code text, parameters jsonb default '{}') returns void
    language sql security definer set search_path = ''
    return cairn.raise_refusal(code, parameters, $${
        "bucket_protection_is_final": ["42501", "A bucket keeps its protection and its id"],
        "object_is_final":            ["42501", "Objects of this bucket can be neither replaced nor deleted"]
    }$$);
grant execute on function storage.refuse to public;
