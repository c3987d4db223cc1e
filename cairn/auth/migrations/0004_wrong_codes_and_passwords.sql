-- A code can be tried five times. The link in the same email stays valid, so that a guesser cannot lock the owner out.
alter table auth.one_time_tokens add column code_tries int not null default 0;

-- How often a password was tried for one account from one network since the last success, and when the next try is
-- allowed. The key is a hash. Losing the rows in a crash only starts the counts again, so the table is unlogged.
create unlogged table auth.password_tries (
    account_and_network text primary key,
    tries               int not null,
    last_try_at         timestamptz not null,
    retry_at            timestamptz not null
);
create index password_tries_age_idx on auth.password_tries (last_try_at);
alter table auth.password_tries enable row level security;
grant select, insert, update, delete on auth.password_tries to service_role;
