-- Deletes the events that contain a notification. This is needed when the person whom the notification is about is erased, or
-- when its company is deleted. The events are found with an index, because the outbox contains the events of all companies.
create or replace function jobs.delete_notification_events(notification_id uuid) returns void
    language sql set search_path = ''
    begin atomic
        delete from jobs.events e
         where e.name = 'row.changed' and e.payload ->> 'table' = 'notifications'
           and coalesce(e.payload #>> '{record,id}', e.payload #>> '{old,id}') = notification_id::text;
    end;
