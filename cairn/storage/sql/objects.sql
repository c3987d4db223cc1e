-- An object in a write-once bucket cannot be changed or deleted after its blob is stored, not even by the service role,
-- which bypasses row-level security.
create or replace function storage.protect_write_once_objects() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if exists (select from storage.buckets where id = old.bucket_id and write_once)
       and exists (select from storage.blobs where version = old.version) then
        perform storage.refuse('object_is_final');
    end if;
    return coalesce(new, old);
end
$$;
revoke execute on function storage.protect_write_once_objects from public;

create or replace trigger protect_write_once_objects before update or delete on storage.objects
    for each row execute function storage.protect_write_once_objects();

create or replace trigger objects_touch before update on storage.objects
    for each row execute function cairn.touch_updated_at();

-- Returns whether the bytes of an object are encrypted. Callers have no access to the table of blobs itself.
create or replace function storage.is_sealed(version uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select b.sealed from storage.blobs b where b.version = $1;
    end;
