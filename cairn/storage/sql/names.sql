-- Policies use the following three functions to examine the name of an object.

create or replace function storage.foldername(name text) returns text[]
    language sql immutable parallel safe
    return trim_array(string_to_array(name, '/'), 1);

create or replace function storage.filename(name text) returns text
    language sql immutable parallel safe
    return (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))];

create or replace function storage.extension(name text) returns text
    language sql immutable parallel safe
    return (string_to_array(storage.filename(name), '.'))[cardinality(string_to_array(storage.filename(name), '.'))];

-- Rejects names that are not NFC-normalised, contain control characters, or have an empty, `.` or `..` path segment.
create or replace function storage.is_plain(name text) returns boolean
    language sql immutable parallel safe
    return name is nfc normalized and name !~ '[\x01-\x1f\x7f]'
           and not string_to_array(name, '/') && array['', '.', '..'];
