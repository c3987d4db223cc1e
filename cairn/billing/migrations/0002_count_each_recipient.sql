-- A waiver that is sent to several addresses counts once for each of them, and an email without a session counts too. Rows
-- from before this migration have no recipient; they cover every recipient of their session.
alter table billing.counted_sendings add column recipient text not null default '';
alter table billing.counted_sendings drop constraint counted_sendings_pkey;
alter table billing.counted_sendings add primary key (session_id, recipient);
comment on column billing.counted_sendings.session_id is 'The session, or the email itself if it is about no session.';
