-- The copy of a signed document has its own kind, because it is sent by signing and does not count as a sent waiver.
alter table public.emails drop constraint emails_kind_check;
alter table public.emails add constraint emails_kind_check check (kind in ('message', 'reminder', 'test', 'copy'));
