-- The policies compare the first folder of a name with the caller, so a listing reads only objects of the caller.
create index objects_first_folder_idx on storage.objects (bucket_id, (path_tokens[1]));
