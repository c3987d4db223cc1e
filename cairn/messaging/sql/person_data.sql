-- Returns which messages were sent to a person and which notifications are about them, for their own export: one entry for each
-- row, and at most 1,000 entries of a list on one page. The texts of the messages are left out, because some contain links and codes
-- that open an account. `phone` is the confirmed number of the person, `sessions` are the waivers that were sent to them,
-- `waivers` are those that they have signed, and `companies` are the companies of these, in the same order.
create or replace function messaging.person_data(
    address text, phone text, sessions uuid[], companies uuid[], waivers uuid[], page int)
    returns table (list text, entry jsonb)
    language sql stable security definer set search_path = ''
    begin atomic
        (select 'emails', jsonb_build_object(
                              'id', m.id, 'recipient', m.recipient, 'subject', m.subject, 'kind', m.kind,
                              'sender_name', m.sender_name, 'session_id', m.session_id, 'status', m.status,
                              'error', m.error, 'created_at', m.created_at, 'sent_at', m.sent_at)
           from public.emails m where lower(m.recipient) = address
          order by m.created_at desc, m.id limit 1000 offset 1000 * page)
        union all
        (select 'text_messages', jsonb_build_object(
                                     'id', m.id, 'recipient', m.recipient, 'channel', m.channel, 'kind', m.kind,
                                     'session_id', m.session_id, 'status', m.status, 'created_at', m.created_at,
                                     'sent_at', m.sent_at)
           from public.text_messages m where m.session_id = any (sessions) or m.recipient = person_data.phone
          order by m.created_at desc, m.id limit 1000 offset 1000 * page)
        union all
        (select 'addresses_without_emails', to_jsonb(s) - array['id', 'company_id']
           from messaging.suppressions s where s.address = person_data.address
          order by s.created_at, s.id limit 1000 offset 1000 * page)
        union all
        (select 'notifications_of_companies', jsonb_build_object('title', n.title, 'message', n.message, 'data', n.data,
                                                                 'created_at', n.created_at)
           from unnest(companies, waivers) as signed (company, waiver)
           join public.notifications n on n.company_id = signed.company and n.about = signed.waiver
          order by n.created_at, n.id limit 1000 offset 1000 * page);
    end;
grant execute on function messaging.person_data to service_role;
