-- The id of what the email is about, so that its content can be erased with it. This package only stores the id.
alter table public.emails add column about_id uuid;
create index emails_about_idx on public.emails (about_id) where about_id is not null;
