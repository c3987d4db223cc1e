-- The link that a stranger requests must not replace the one of the owner, so each IP network has its own link.
alter table auth.one_time_tokens add column requested_from text not null default 'unknown';
alter table auth.one_time_tokens drop constraint one_time_tokens_pkey;
alter table auth.one_time_tokens add primary key (user_id, purpose, requested_from);

-- The limits for emails look up from where the owner of an address has signed in.
create index audit_log_sign_ins_idx on auth.audit_log (user_id, created_at) where act = 'login';
