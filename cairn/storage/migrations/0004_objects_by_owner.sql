-- Finds the files of an account that is deleted. Documents of waivers have no owner, so the index is small.
create index objects_owner_id_idx on storage.objects (owner_id) where owner_id is not null;
