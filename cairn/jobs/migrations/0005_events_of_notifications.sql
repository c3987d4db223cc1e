-- Finds the events about one notification without reading those of all companies. See sql/delete_notification_events.sql.
create index notification_events_idx on jobs.events
    ((coalesce(payload #>> '{record,id}', payload #>> '{old,id}')))
    where name = 'row.changed' and payload ->> 'table' = 'notifications';
