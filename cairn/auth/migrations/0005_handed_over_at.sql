-- When the account was last given to the person who proved its address. Other packages react to a change.
alter table auth.users add column handed_over_at timestamptz;
