create or replace function storage.keep_promises_of_buckets() returns trigger
    language plpgsql set search_path = '' as $$
begin
    if (old.write_once and not new.write_once) or (old.sealed and not new.sealed) or old.id <> new.id then
        perform storage.refuse('bucket_protection_is_final');
    end if;
    return new;
end
$$;
revoke execute on function storage.keep_promises_of_buckets from public;

create or replace trigger keep_promises_of_buckets before update on storage.buckets
    for each row execute function storage.keep_promises_of_buckets();

create or replace trigger buckets_touch before update on storage.buckets
    for each row execute function cairn.touch_updated_at();
