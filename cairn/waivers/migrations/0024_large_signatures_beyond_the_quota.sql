-- True if a company has stored so much in a day that guests on their own devices can store no more large signatures.
alter table waivers.storage_quotas_reached add column is_full boolean not null default false;
