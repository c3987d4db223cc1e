-- An object in a write-once bucket cannot be changed or deleted after its blob is stored, not even by the service role,
-- which bypasses row-level security. Only `storage.erase_object` can delete it.
create or replace function storage.protect_write_once_objects() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if tg_op = 'DELETE' and current_setting('storage.erased_object', true) = old.id::text then
        return old;
    end if;
    if exists (select from storage.buckets where id = old.bucket_id and write_once)
       and exists (select from storage.blobs where version = old.version) then
        perform storage.refuse('object_is_final');
    end if;
    return coalesce(new, old);
end
$$;

create or replace trigger protect_write_once_objects before update or delete on storage.objects
    for each row execute function storage.protect_write_once_objects();

-- Deletes an object, even in a write-once bucket, because a person's data must be erasable. Returns the version of its blob,
-- which the caller then removes, or null if there is no such object.
create or replace function storage.erase_object(bucket text, key text) returns uuid
    language plpgsql security definer set search_path = '' as $$
declare
    object storage.objects;
begin
    select * into object from storage.objects o where o.bucket_id = bucket and o.name = key for update;
    perform set_config('storage.erased_object', object.id::text, true);
    delete from storage.objects o where o.id = object.id;
    perform set_config('storage.erased_object', '', true);
    return object.version;
end
$$;
grant execute on function storage.erase_object to service_role;

create or replace trigger objects_touch before update on storage.objects
    for each row execute function cairn.touch_updated_at();

-- Returns whether the bytes of an object are encrypted. Callers have no access to the table of blobs itself.
create or replace function storage.is_sealed(version uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select b.sealed from storage.blobs b where b.version = $1;
    end;
grant execute on function storage.is_sealed to public;
