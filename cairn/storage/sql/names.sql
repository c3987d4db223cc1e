-- Policies use the following three functions to examine the name of an object.

create or replace function storage.foldername(name text) returns text[]
    language sql immutable parallel safe
    return trim_array(string_to_array(name, '/'), 1);
grant execute on function storage.foldername to public;

create or replace function storage.filename(name text) returns text
    language sql immutable parallel safe
    return (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))];
grant execute on function storage.filename to public;

create or replace function storage.extension(name text) returns text
    language sql immutable parallel safe
    return (string_to_array(storage.filename(name), '.'))[cardinality(string_to_array(storage.filename(name), '.'))];
grant execute on function storage.extension to public;

-- Returns true if the name is NFC-normalised, contains no control characters, and has no path segment that is empty, `.` or `..`.
create or replace function storage.is_plain(name text) returns boolean
    language sql immutable parallel safe
    return name is nfc normalized and name !~ '[\x01-\x1f\x7f]'
           and not string_to_array(name, '/') && array['', '.', '..'];
grant execute on function storage.is_plain to public;
