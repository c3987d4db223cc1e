-- Returns which messages were sent to a person and which notifications are about them, for their own export. The texts of the
-- messages are left out, because some contain links and codes that open an account. `phone` is the confirmed number of the
-- person, `sessions` are the waivers that were sent to them, and `companies` and `waivers` are what they have signed.
create or replace function messaging.person_data(
    address text, phone text, sessions uuid[], companies uuid[], waivers uuid[]) returns jsonb
    language sql stable security definer set search_path = ''
    begin atomic
        select jsonb_build_object(
            'emails', (
                select jsonb_agg(e.email order by e.created_at desc)
                  from (select m.created_at, jsonb_build_object(
                                   'id', m.id, 'recipient', m.recipient, 'subject', m.subject, 'kind', m.kind,
                                   'sender_name', m.sender_name, 'session_id', m.session_id, 'status', m.status,
                                   'error', m.error, 'created_at', m.created_at, 'sent_at', m.sent_at) as email
                          from public.emails m where lower(m.recipient) = address
                         order by m.created_at desc limit 10000) e),
            'text_messages', (
                select jsonb_agg(t.message order by t.created_at desc)
                  from (select m.created_at, jsonb_build_object(
                                   'id', m.id, 'recipient', m.recipient, 'channel', m.channel, 'kind', m.kind,
                                   'session_id', m.session_id, 'status', m.status, 'created_at', m.created_at,
                                   'sent_at', m.sent_at) as message
                          from public.text_messages m where m.session_id = any (sessions) or m.recipient = person_data.phone
                         order by m.created_at desc limit 10000) t),
            'addresses_without_emails', (
                select jsonb_agg(to_jsonb(s) - array['id', 'company_id'] order by s.created_at)
                  from messaging.suppressions s where s.address = person_data.address),
            'notifications_of_companies', (
                select jsonb_agg(jsonb_build_object('title', n.title, 'message', n.message, 'data', n.data,
                                                    'created_at', n.created_at) order by n.created_at)
                  from unnest(companies, waivers) as signed (company, waiver)
                  join public.notifications n on n.company_id = signed.company and n.about = signed.waiver));
    end;
revoke execute on function messaging.person_data from public;
grant execute on function messaging.person_data to service_role;
