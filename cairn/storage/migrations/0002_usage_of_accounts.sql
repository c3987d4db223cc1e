-- Each upload adds up what its account has stored. Sealed documents have no owner and are not in the index.
create index objects_owner_idx on storage.objects (owner) where owner is not null;
create index uploads_owner_idx on storage.uploads (owner_id) where finished_at is null;
