-- Other packages learn here what happened to the messages they requested. They never read the tables of this package.

-- True if a message was delivered, is kept or is still being sent. `about` is the session, or the email itself if it is
-- about no session. With an address, only emails to this address count, and all text messages about the session.
create or replace function messaging.has_active_message(about uuid, address text default null) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from public.emails e
                    where (e.session_id = about or e.id = about) and e.kind in ('message', 'reminder')
                      and (address is null or lower(e.recipient) = address)
                      and e.status not in ('failed', 'cancelled'))
        or exists (select from public.text_messages t
                    where t.session_id = about and t.kind = 'message' and t.status <> 'failed');

-- True if a reminder about the session was cancelled today, for example because the company has reached a limit.
create or replace function messaging.was_reminder_cancelled_today(session uuid) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from public.emails e
                    where e.session_id = session and e.kind = 'reminder' and e.status = 'cancelled'
                      and e.created_at >= messaging.today()::timestamp at time zone 'UTC');

-- Returns when the last message about the session was sent, or requested if it is still being sent. Null if there was none.
create or replace function messaging.last_message_at(session uuid) returns timestamptz
    language sql stable security definer set search_path = ''
    return greatest(
        (select max(coalesce(e.sent_at, e.created_at)) from public.emails e
          where e.session_id = session and e.kind in ('message', 'reminder') and e.status not in ('failed', 'cancelled')),
        (select max(t.created_at) from public.text_messages t where t.session_id = session and t.status <> 'failed'));

-- True if the company has requested an email about the session, whatever its outcome.
create or replace function messaging.has_email(session uuid, company uuid) returns boolean
    language sql stable security definer set search_path = ''
    return exists (select from public.emails where session_id = session and company_id = company);

-- Returns the phone number to which a message about the session was last delivered.
create or replace function messaging.texted_number(session uuid) returns text
    language sql stable security definer set search_path = ''
    begin atomic
        select recipient from public.text_messages
         where session_id = session and kind = 'message' and status = 'delivered'
         order by created_at desc
         limit 1;
    end;
grant execute on function messaging.texted_number to service_role;

-- This view shows emails without their content.
create or replace view messaging.sent_emails with (security_invoker = true) as
    select session_id, recipient, subject, status, created_at, sent_at, message_id, attachment_source, attachment_id,
           id
      from public.emails;
grant select on messaging.sent_emails to service_role;
