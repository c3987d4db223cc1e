-- People export the history of their account.
create index audit_log_user_idx on auth.audit_log (user_id, id desc);
