-- When the recipient and the history of a session without a signature were erased. Null if there is something to erase, so a new
-- event sets it to null again. The sweep finds what is left with the index, without reading the sessions that were erased before.
alter table waivers.sessions add column erased_at timestamptz;
update waivers.sessions s set erased_at = now()
 where s.status in ('pending', 'cancelled')
   and exists (select from waivers.audit_events e where e.session_id = s.id and e.name in ('session.erased', 'waiver.erased'))
   and not exists (select from waivers.audit_events e
                    where e.session_id = s.id and not e.is_erased
                      and e.name not in ('waiver.erased', 'session.erased', 'session.upgraded'));
create index sessions_to_erase_idx on waivers.sessions ((coalesce(cancelled_at, expires_at)))
    where status in ('pending', 'cancelled') and erased_at is null;
