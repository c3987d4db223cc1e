-- The service role bypasses row-level security but not this trigger. An object is final once its blob is recorded.
create or replace function storage.keep_what_is_written_once() returns trigger
    language plpgsql security definer set search_path = '' as $$
begin
    if exists (select from storage.buckets where id = old.bucket_id and write_once)
       and exists (select from storage.blobs where version = old.version) then
        perform storage.refuse('object_is_final');
    end if;
    return coalesce(new, old);
end
$$;
revoke execute on function storage.keep_what_is_written_once from public;

create or replace trigger keep_what_is_written_once before update or delete on storage.objects
    for each row execute function storage.keep_what_is_written_once();

create or replace trigger objects_touch before update on storage.objects
    for each row execute function cairn.touch_updated_at();

-- Lets the reader of an object find out whether its bytes are encrypted, without access to the table of blobs.
create or replace function storage.is_sealed(version uuid) returns boolean
    language sql stable security definer set search_path = ''
    begin atomic
        select b.sealed from storage.blobs b where b.version = $1;
    end;
