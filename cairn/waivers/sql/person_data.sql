-- Returns which waivers were sent to a person, for their own export, without the texts of the waivers: one entry for each row,
-- and at most 1,000 entries of a list on one page. `sessions` are the ids of the sessions on this page. It also returns the
-- requests of the person to erase what they have signed. After a correction of the address, the id of the new session is the link
-- of someone else, so it is left out.
create or replace function waivers.person_data(address text, person uuid, sessions uuid[], page int)
    returns table (list text, entry jsonb)
    language sql stable security definer set search_path = ''
    begin atomic
        (select 'invitations', to_jsonb(s) - array['template_content', 'template_description', 'form', 'company_id', 'replaced_by', 'invited_by']
                               || jsonb_build_object('company_name', accounts.company_name(s.company_id),
                                                     'history', waivers.history_for_person(s.id, null, address))
           from waivers.sessions s where s.id = any (sessions) order by s.created_at desc)
        union all
        (select 'sendings', to_jsonb(s) - array['template_content', 'company_id']
           from public.sent_waivers s where lower(s.recipient_email) = address
          order by s.sent_at desc, s.id limit 1000 offset 1000 * page)
        union all
        (select 'reminders', to_jsonb(r) - 'company_id'
           from waivers.reminders r where r.session_id = any (sessions) order by r.requested_at desc limit 1000)
        union all
        (select 'unwanted_reminders', jsonb_build_object('company_name', accounts.company_name(r.company_id), 'email', r.email,
                                                         'since', r.since)
           from waivers.reminder_refusals r where r.email = address
          order by r.since, r.company_id limit 1000 offset 1000 * page)
        union all
        (select 'erasure_requests', to_jsonb(r) - array['user_id', 'company_id'] || jsonb_build_object(
                                        'company_name', accounts.company_name(r.company_id))
           from waivers.erasure_requests r where r.user_id = person or r.email = address
          order by r.requested_at, r.id limit 1000 offset 1000 * page);
    end;
grant execute on function waivers.person_data to service_role;

-- Returns a signed waiver with its history, for the export of the person who signed it. Returns null if it was erased or signed
-- with another address. The reason of a revocation is left out: it is a note of the company, which the signer never sees.
create or replace function waivers.signed_waiver_data(waiver uuid, address text) returns jsonb
    language sql stable security definer set search_path = ''
    begin atomic
        select to_jsonb(w) - array['document_path', 'document_secret_sha256', 'company_id', 'revoke_reason'] || jsonb_build_object(
                   'company_name', coalesce(w.company_name, accounts.company_name(w.company_id)),
                   'strokes', waivers.readable_strokes(w.strokes),
                   'record_sha256', encode(w.record_sha256, 'hex'),
                   'participants', waivers.participants_for_person(w.id),
                   'history', waivers.history_for_person(w.session_id, w.id, address))
          from waivers.signed w
         where w.id = waiver and w.signer_email = address and w.erased_at is null;
    end;
grant execute on function waivers.signed_waiver_data to service_role;

-- Returns what a person has entered about themselves and the minors for whom they signed, with the questions as they were asked.
create or replace function waivers.participants_for_person(waiver uuid) returns jsonb
    language sql stable set search_path = ''
    begin atomic
        select coalesce(jsonb_agg(jsonb_build_object(
                   'name', p.name, 'birth_date', p.birth_date, 'kind', p.kind, 'takes_part', p.takes_part, 'signature', p.signature,
                   'answers', (select coalesce(jsonb_agg(jsonb_build_object('question', q -> 'label', 'answer', a.answers -> (q ->> 'key'))
                                                         order by position), '[]')
                                 from jsonb_array_elements(v.form -> 'questions') with ordinality as questions (q, position)
                                where a.answers ? (q ->> 'key'))) order by p.number), '[]')
          from waivers.participants p
          join waivers.signed w on w.id = p.waiver_id
          join waivers.sessions v on v.id = w.session_id
          left join waivers.sensitive_answers s on s.participant_id = p.id
         cross join lateral (select p.answers || coalesce(s.answers, '{}') as answers) a
         where p.waiver_id = waiver;
    end;

-- Returns the events about one waiver or, if `waiver` is null, the events of the session that are about no waiver. An act of an
-- employee and a visit to the link, which anyone may have opened, have only a few details here. Messages to other people are left
-- out.
create or replace function waivers.history_for_person(session uuid, waiver uuid, address text) returns jsonb
    language sql stable set search_path = ''
    begin atomic
        select jsonb_agg(jsonb_build_object(
                   'at', e.at, 'title', waivers.event_title(e.name),
                   'details', case when waiver is not null and not e.details ? 'by' then e.details
                                   else jsonb_strip_nulls(jsonb_build_object(
                                       'recipient', e.details -> 'recipient', 'language', e.details -> 'language',
                                       'scroll_depth', e.details -> 'scroll_depth')) end) order by e.id)
          from waivers.audit_events e
         where e.session_id = session and (e.details ->> 'waiver_id') is not distinct from waiver::text
           and (e.details ->> 'recipient' is null or e.details ->> 'recipient' not like '%@%'
                or lower(e.details ->> 'recipient') = address);
    end;
