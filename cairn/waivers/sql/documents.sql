-- Attaches the document to its record. Only this function may do that, and only once per record. Returns true for the
-- call that attached it, and null if the record has been erased. `bytes` is the size of the document.
create or replace function waivers.store_document(waiver_id uuid, path text, sha256 text, certificate text, bytes int default null)
    returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    session waivers.sessions := waivers.lock_session_of(waiver_id);
begin
    update waivers.signed w set document_path = path, document_sha256 = sha256, document_at = clock_timestamp(),
                                document_bytes = bytes
     where w.id = waiver_id and w.document_path is null and w.erased_at is null;
    if not found then
        return (select false from waivers.signed w where w.id = waiver_id and w.erased_at is null);
    end if;
    perform waivers.append_audit(session, 'document.sealed', jsonb_build_object(
        'waiver_id', waiver_id, 'document_sha256', sha256, 'certificate_sha256', certificate));
    return true;
end
$$;
grant execute on function waivers.store_document to service_role;

-- Notifies open dashboards that the document is ready, or that the waiver was held, released or erased.
create or replace trigger note_document after update of document_path, held_since, erased_at on waivers.signed
    for each row execute function realtime.note_change('public', 'signed_waivers', 'key', 'company_id');

-- Records that the signer requested the copy by email, and returns true if the document exists already. The lock makes a worker
-- that is attaching the document wait, so it either sees the request or has finished before.
create or replace function waivers.request_copy(waiver uuid) returns boolean
    language plpgsql security definer set search_path = '' as $$
declare
    is_ready boolean;
begin
    select w.document_path is not null into is_ready from waivers.signed w where w.id = waiver for update;
    insert into waivers.copy_requests (waiver_id) values (waiver) on conflict do nothing;
    return is_ready;
end
$$;
grant execute on function waivers.request_copy to service_role;

-- True if the document cannot be made, so that it is not tried again.
create or replace function waivers.document_failed(waiver_id uuid) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from waivers.document_failures f where f.waiver_id = $1 and f.is_final);
grant execute on function waivers.document_failed to anon, authenticated, service_role;
