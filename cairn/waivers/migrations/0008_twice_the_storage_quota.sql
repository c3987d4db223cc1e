-- True if the company has stored twice its quota, so that even small signatures are refused.
alter table waivers.storage_quotas_reached add column is_twice boolean not null default false;

-- The sendings of the last day are measured every minute. This kind of index needs a few kilobytes.
create index sent_waivers_recent_idx on public.sent_waivers using brin (sent_at) with (autosummarize = on);
