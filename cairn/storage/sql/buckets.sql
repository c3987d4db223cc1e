-- A bucket that is sealed or write-once stays so forever, and the id of a bucket never changes.
create or replace function storage.protect_bucket_settings() returns trigger
    language plpgsql set search_path = '' as $$
begin
    perform storage.refuse('bucket_protection_is_final');
end
$$;

create or replace trigger protect_bucket_settings before update on storage.buckets
    for each row when ((old.write_once and not new.write_once) or (old.sealed and not new.sealed) or old.id <> new.id)
    execute function storage.protect_bucket_settings();

create or replace trigger buckets_touch before update on storage.buckets
    for each row execute function cairn.touch_updated_at();
