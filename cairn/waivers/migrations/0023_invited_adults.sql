-- The session with whose link an adult was invited to sign a waiver of their own. Null for all other sessions.
alter table waivers.sessions add column invited_by uuid references waivers.sessions;
create index sessions_invited_by_idx on waivers.sessions (invited_by) where invited_by is not null;
