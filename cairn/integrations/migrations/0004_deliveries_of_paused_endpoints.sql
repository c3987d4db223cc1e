-- Pausing an endpoint no longer changes its deliveries. Those of endpoints that are paused now are due when they resume.
update integrations.deliveries set next_try_at = now() where status = 'waiting' and next_try_at is null;

-- When the endpoint was resumed last. Deliveries whose last attempt was before that are tried again soon.
alter table integrations.endpoints add column resumed_at timestamptz;
grant select (resumed_at) on integrations.endpoints to authenticated;

-- Finds the deliveries that failed before the endpoint was resumed without reading the others.
create index deliveries_failed_idx on integrations.deliveries (endpoint_id, tried_at)
    where status = 'waiting' and error is not null;
