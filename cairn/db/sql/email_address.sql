-- Writes an address as it is stored: in lower case, and with ordinary characters instead of full-width ones.
create or replace function cairn.clean_address(dirty text) returns text
    language sql immutable parallel safe
    -- Sorting the accents of a long text takes PostgreSQL hours, and nothing can stop it meanwhile. A text that is longer than an
    -- address is refused later, so it need not be normalized.
    return case when length(dirty) <= 1000 then lower(normalize(cairn.clean_line(dirty), NFKC)) else dirty end;
grant execute on function cairn.clean_address to public;

-- True if the text is the address of one mailbox. cairn/kit/email_address.py has the same rule and explains it; a test compares
-- both.
create or replace function cairn.is_one_address(address text) returns boolean
    language sql immutable parallel safe
    return length(address) <= 320
       and normalize(address, NFKC) !~ '=\?'
       and normalize(address, NFKC) !~ (
           '[\s()<>,;:"\[\]\\\u0001-\u0020\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F'
           || '\u2028-\u202F\u205F-\u206F\u2800\u3000-\u3002\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFF\U000E0000-\U000E0FFF]')
       and normalize(address, NFKC) ~ '^[^@]+@[^@.]+(\.[^@.]+)*$';
grant execute on function cairn.is_one_address to public;
