-- Who stored the most for a company that has reached twice its quota. Only they are refused.
alter table waivers.storage_quotas_reached add column networks inet[] not null default '{}';
-- True if the accounts of the company have stored that much themselves.
alter table waivers.storage_quotas_reached add column is_twice_by_company boolean not null default false;
