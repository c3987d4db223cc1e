-- The addresses to which a client has moved the account with the mailed token alone, without the password. Such an
-- address is proven only for sessions that a link or code in an email to it has opened.
alter table auth.users add column token_only_emails text[] not null default '{}';
