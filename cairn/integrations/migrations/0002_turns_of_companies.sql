-- True if the last delivery succeeded within two seconds. Deliveries to other endpoints have separate slots.
alter table integrations.endpoints add column responds_quickly boolean not null default false;
-- While deliveries fail, only one is tried at this time. The others wait.
alter table integrations.endpoints add column next_probe_at timestamptz;

update integrations.endpoints e set responds_quickly = true
 where e.failing_since is null
   and exists (select from integrations.deliveries d where d.endpoint_id = e.id and d.status = 'delivered');

-- A user waits for the outcome, so the delivery is tried first and does not wait for the next probe.
alter table integrations.deliveries add column requested_by_user boolean not null default false;

-- Finds the next delivery of each endpoint without reading the others, of which one endpoint may have thousands.
create index deliveries_next_idx on integrations.deliveries (endpoint_id, requested_by_user desc, next_try_at)
    where status = 'waiting' and next_try_at is not null;
drop index integrations.deliveries_due_idx;
