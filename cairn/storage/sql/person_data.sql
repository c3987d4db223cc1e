-- Lists the files that a person has uploaded, for their own export.
create or replace function storage.person_data(person uuid) returns jsonb
    language sql stable security definer set search_path = ''
    begin atomic
        select jsonb_build_object('uploaded_files', (
            select jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'name', o.name, 'metadata', o.metadata,
                                                'user_metadata', o.user_metadata, 'created_at', o.created_at)
                             order by o.created_at)
              from storage.objects o where o.owner = person));
    end;
revoke execute on function storage.person_data from public;
grant execute on function storage.person_data to service_role;
