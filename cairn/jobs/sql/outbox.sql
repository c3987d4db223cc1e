-- Other packages read the outbox through this view.
create or replace view jobs.outbox with (security_invoker = true) as
    select id, xid, name, payload, at from jobs.events;
grant select on jobs.outbox to service_role;
