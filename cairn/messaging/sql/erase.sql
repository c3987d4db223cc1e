-- Erases the content and the recipients of all messages about something that a company erases. `about` is the id of that
-- thing. With `session`, the messages of that session are erased too. A message that was not sent yet is cancelled. Clients
-- choose the ids of sessions and waivers, so a message of another company could have the same id. Therefore the company is
-- compared too, except for emails with `about_id`, which have no company.
create or replace function messaging.erase_messages(company uuid, about uuid, session uuid) returns void
    language plpgsql security definer set search_path = '' as $$
declare
    notification public.notifications;
begin
    update public.emails e
       set recipient = '(erased)', subject = '(erased)', body = '', reply_to = null, error = null, message_id = null,
           unsubscribe_url = null, status = case e.status when 'sending' then 'cancelled' else e.status end
     where e.about_id = erase_messages.about
        or e.company_id = company
           and (e.session_id = erase_messages.session
                or e.attachment_id in (erase_messages.about, erase_messages.session));
    delete from public.text_messages t where t.company_id = company and t.session_id = erase_messages.session;
    for notification in delete from public.notifications n
                         where n.company_id = company and n.about = erase_messages.about returning * loop
        -- The outbox contains the changes of the notification for a day, so they are deleted there too.
        perform jobs.delete_notification_events(notification.id);
    end loop;
end
$$;

-- Forgets that emails of the company to this address came back. A complaint is kept, because the person wants no more emails,
-- but with a hash instead of the address.
create or replace function messaging.forget_suppression(company uuid, address text) returns void
    language sql security definer set search_path = ''
    begin atomic
        insert into messaging.suppressions (scope, company_id, address, reason, created_at)
        select s.scope, s.company_id, messaging.address_hash(company, s.address), s.reason, s.created_at
          from messaging.suppressions s
         where s.company_id = company and s.address = forget_suppression.address and s.reason = 'complaint'
            on conflict on constraint suppressions_are_unique do nothing;
        delete from messaging.suppressions s where s.company_id = company and s.address = forget_suppression.address;
    end;
