-- The companies that may store no further signatures for now, because theirs fill the database too fast. The samples have
-- no company and are stored under the id of zeros. Unlogged: after a crash the worker measures again within a minute.
create unlogged table waivers.storage_quotas_reached (
    company_id uuid primary key,
    until      timestamptz not null
);
alter table waivers.storage_quotas_reached enable row level security;
grant select, insert, update, delete on waivers.storage_quotas_reached to service_role;

-- Rows are appended in the order of their time, so this kind of index needs a few kilobytes and costs inserts nothing.
create index signed_recent_idx on waivers.signed using brin (signed_at) with (autosummarize = on);
create index sessions_recent_idx on waivers.sessions using brin (created_at) with (autosummarize = on);
