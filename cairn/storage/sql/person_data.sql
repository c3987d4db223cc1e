-- Lists the files that a person has uploaded, for their own export, at most 1,000 on one page.
create or replace function storage.person_data(person uuid, page int) returns table (list text, entry jsonb)
    language sql stable security definer set search_path = ''
    begin atomic
        select 'uploaded_files', jsonb_build_object('bucket', o.bucket_id, 'name', o.name, 'metadata', o.metadata,
                                                    'user_metadata', o.user_metadata, 'created_at', o.created_at)
          from storage.objects o where o.owner = person order by o.created_at, o.id limit 1000 offset 1000 * page;
    end;
grant execute on function storage.person_data to service_role;
