-- When the account is deleted, because its owner has requested that. Null: the account stays.
alter table public.profiles add column delete_at timestamptz;
create index profiles_delete_at_idx on public.profiles (delete_at) where delete_at is not null;
