-- Lists contradictions in the evidence; returns no rows as long as nothing was changed or removed. The signatures of the
-- heads are checked in Python, because SQL has no function for that.
create or replace function waivers.broken_evidence(only_session uuid default null, only_company uuid default null)
    returns table (session_id uuid, waiver_id uuid, event_id bigint, reason text)
    -- A plan for these parameters reads one session with an index. A plan for all parameters would read all sessions.
    language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
    return query
    with events as materialized (
        select a.*, waivers.expected_hash(a) as expected_hash, lag(a.hash) over chain as hash_before,
               row_number() over chain as position,
               case when a.details ->> 'waiver_id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                    then (a.details ->> 'waiver_id')::uuid end as named_waiver
          from waivers.audit_events a
         where (only_session is null or a.session_id = only_session)
           and (only_company is null
                or a.session_id in (select s.id from waivers.sessions s where s.company_id = only_company)
                or a.company_id = only_company)
        window chain as (partition by a.session_id order by a.id)
    ), records as (
        select w from waivers.signed w
         where (only_session is null or w.session_id = only_session)
           and (only_company is null or w.company_id = only_company)
    )
    select e.session_id, e.named_waiver, e.id,
           case when e.previous is distinct from e.hash_before then 'the event before it is missing or was changed'
                when e.version = 1 and e.is_erased then 'the details of an event of version 1 were removed, so it cannot be checked'
                else 'the event was changed' end
      from events e
     where e.previous is distinct from e.hash_before
        or e.hash is distinct from e.expected_hash
           and not (e.version = 1 and e.is_erased
                    and exists (select from events u where u.session_id = e.session_id and u.name = 'session.upgraded'))
    union all
    -- The event must be older than every erasure, and no event of version 1 may follow one of a later version. Otherwise someone
    -- could pass off events of a later version as erased events of version 1.
    select u.session_id, null, u.id, 'the events of version 1 are not those to which this event commits'
      from events u
     where u.name = 'session.upgraded'
       and (u.details ->> 'history_sha256' is distinct from encode(waivers.upgraded_history_hash(u.session_id), 'hex')
            or exists (select from events e
                        where e.session_id = u.session_id
                          and (e.name in ('waiver.erased', 'session.erased') and e.id < u.id
                               or e.version = 1 and exists (select from events b where b.session_id = e.session_id
                                                             and b.id < e.id and b.version > 1))))
    union all
    select e.session_id, e.named_waiver, e.id, 'the details of the event were removed, but no waiver was erased after it'
      from events e
     where e.is_erased
       and not exists (select from events later
                        where later.session_id = e.session_id and later.id > e.id
                          and later.name in ('waiver.erased', 'session.erased') and not later.is_erased
                          and case when e.named_waiver is not null or waivers.names_waiver(e.name)
                                   then later.named_waiver = e.named_waiver
                                   -- Erasures of earlier builds, whose events have version 2, do not list the erased events.
                                   else e.version = 2 or later.details -> 'erased_events' @> to_jsonb(e.position) end)
    union all
    select e.session_id, e.named_waiver, e.id, 'the event says that a waiver was erased, but that waiver was not'
      from events e
     where e.name = 'waiver.erased'
       and not exists (select from waivers.signed w
                        where w.id = e.named_waiver and w.erased_at is not null
                          and (w.session_id = e.session_id or w.session_id in (select waivers.successors(e.session_id))))
    union all
    select e.session_id, null, e.id, 'the event says that the waiver was erased because it was never signed, but it was signed'
      from events e
     where e.name = 'session.erased'
       and (exists (select from waivers.signed w where w.session_id = e.session_id)
            or exists (select from events s where s.session_id = e.session_id and s.name = 'waiver.signed'))
    union all
    select e.session_id, e.named_waiver, e.id, 'the same event is in the history twice'
      from events e
     where e.name in ('waiver.signed', 'document.sealed', 'waiver.erased')
       and exists (select from events earlier
                    where earlier.session_id = e.session_id and earlier.id < e.id and earlier.name = e.name
                      and earlier.named_waiver = e.named_waiver)
    union all
    select e.session_id, e.named_waiver, e.id, 'the event was moved to another company'
      from events e join waivers.sessions s on s.id = e.session_id
     where e.company_id is distinct from s.company_id
    union all
    select e.session_id, e.named_waiver, e.id, 'the signed record is missing'
      from events e
     where e.name = 'waiver.signed'
       and not exists (select from waivers.signed w
                        where w.session_id = e.session_id and w.id = e.named_waiver)
    union all
    select (r.w).session_id, (r.w).id, null, 'the signed record was changed'
      from records r
     where (r.w).erased_at is null and (r.w).record_sha256 <> waivers.record_hash(r.w)
    union all
    select (r.w).session_id, (r.w).id, null, 'the record was erased, but the event of its erasure is missing or differs'
      from records r
     where (r.w).erased_at is not null
       and not exists (select from events e
                        where e.session_id = (r.w).session_id and e.name = 'waiver.erased' and not e.is_erased
                          and e.details ->> 'waiver_id' = (r.w).id::text
                          and e.details ->> 'record_sha256' = encode((r.w).record_sha256, 'hex')
                          and e.details ->> 'document_sha256' is not distinct from (r.w).document_sha256)
    union all
    select (r.w).session_id, (r.w).id, null, 'the event of its signing is missing or names another record'
      from records r
     where not exists (select from events e
                        where e.session_id = (r.w).session_id and e.name = 'waiver.signed'
                          and e.details ->> 'waiver_id' = (r.w).id::text
                          and (not e.is_erased or (r.w).erased_at is not null)
                          and e.details ->> 'record_sha256' = encode((r.w).record_sha256, 'hex'))
    union all
    select (r.w).session_id, (r.w).id, null, 'the event of its document is missing or names another document'
      from records r
     where (r.w).document_sha256 is not null
       and not exists (select from events e
                        where e.session_id = (r.w).session_id and e.name = 'document.sealed'
                          and e.details ->> 'waiver_id' = (r.w).id::text
                          and (not e.is_erased or (r.w).erased_at is not null)
                          and e.details ->> 'document_sha256' = (r.w).document_sha256)
    union all
    -- Both times come from the clock of the database and are some seconds from each other at most.
    select (r.w).session_id, (r.w).id, null,
           case when e.name = 'waiver.signed' then 'the record has another time than the event of its signing'
                else 'the record has another time than the event of its document, its revocation or its erasure' end
      from records r join events e on e.session_id = (r.w).session_id and e.named_waiver = (r.w).id
     where case e.name when 'waiver.signed' then (r.w).signed_at
                       when 'document.sealed' then (r.w).document_at
                       when 'waiver.revoked' then (r.w).revoked_at
                       when 'waiver.superseded' then (r.w).revoked_at
                       when 'waiver.erased' then (r.w).erased_at end
           not between e.at - interval '15 minutes' and e.at + interval '15 minutes'
    union all
    select (r.w).session_id, (r.w).id, null, 'the sensitive answers of a participant were changed'
      from records r
      join waivers.participants p on p.waiver_id = (r.w).id
      join waivers.sensitive_answers s on s.participant_id = p.id
     where waivers.sensitive_hash(s.salt, s.answers) is distinct from p.sensitive_sha256
    union all
    select (r.w).session_id, (r.w).id, null, 'the flags of a participant do not follow from the answers'
      from records r
      join waivers.sessions v on v.id = (r.w).session_id
      join waivers.participants p on p.waiver_id = (r.w).id
      left join waivers.sensitive_answers s on s.participant_id = p.id
     where not waivers.flags_match_answers(v.form, p, p.answers, p.flags, (r.w).signed_at, of_sensitive_questions => false)
        or not waivers.flags_match_answers(v.form, p, s.answers, s.flags, (r.w).signed_at, of_sensitive_questions => true)
    union all
    select e.session_id, e.named_waiver, e.id, 'the document of the signed record was removed or replaced'
      from events e join records r on (r.w).id = e.named_waiver
     where e.name = 'document.sealed' and (r.w).document_sha256 is distinct from e.details ->> 'document_sha256'
    union all
    select (r.w).session_id, (r.w).id, null, 'the event of its revocation is missing or names another reason'
      from records r
     where (r.w).revoked_at is not null
       and not exists (select from events e
                        where e.session_id = (r.w).session_id and e.name in ('waiver.revoked', 'waiver.superseded')
                          and e.details ->> 'waiver_id' = (r.w).id::text
                          and ((r.w).erased_at is not null
                               or not e.is_erased and e.details ->> 'reason' = (r.w).revoke_reason)
                          and e.details ->> 'superseded_by' is not distinct from (r.w).superseded_by::text)
    union all
    select e.session_id, e.named_waiver, e.id, 'the signed record is no longer marked as revoked'
      from events e join records r on (r.w).id = e.named_waiver
     where e.name in ('waiver.revoked', 'waiver.superseded') and (r.w).revoked_at is null
    union all
    select n.session_id, null, null,
           case when e.hash is null then 'the last events are missing: a signed head covers more of them'
                when e.hash <> n.last_hash then 'the history was replaced: a signed head covers another one'
                else 'the session was moved: a signed head of another company covers its history' end
      from waivers.head_entries n
      join waivers.chain_heads h on h.id = n.head_id
      left join events e on e.session_id = n.session_id and e.position = n.event_count
      left join waivers.sessions s on s.id = n.session_id
     where (only_session is null or n.session_id = only_session)
       and (only_company is null or h.company_id = only_company)
       and (e.hash is distinct from n.last_hash or s.company_id is distinct from h.company_id)
    union all
    -- A head covers all events of its company that exist, so an older event that it leaves out has a wrong time. Committing an
    -- event, and covering many histories with several heads, takes less than a quarter of an hour, so that difference is accepted.
    -- There were no heads when version 1 was written, so the first heads of a company cover all events of that version. The time
    -- of an erased event of version 1 is not covered by its hash, so even a head with the same time is reported.
    select e.session_id, e.named_waiver, e.id,
           case when e.version = 1 and e.is_erased then 'the event is not older than the first heads, so it does not have version 1'
                else 'heads that were signed after the event do not contain it' end
      from events e
      left join lateral (
        select h.at, h.number from waivers.head_entries n join waivers.chain_heads h on h.id = n.head_id
         where n.session_id = e.session_id and n.event_count >= e.position
           and h.company_id is not distinct from e.company_id
         order by n.event_count limit 1) covering on true
     where case when e.version = 1 and e.is_erased
                then waivers.has_head_between(
                    e.company_id, '-infinity', greatest(e.at + interval '1 microsecond',
                                                        coalesce(covering.at, now()) - interval '15 minutes'), null)
                else waivers.has_head_between(
                    e.company_id, e.at + interval '15 minutes',
                    coalesce(covering.at, now()) - interval '15 minutes', covering.number) end;
end
$$;
grant execute on function waivers.broken_evidence to service_role;

-- True if events of this name are always about one waiver, and name it.
create or replace function waivers.names_waiver(event_name text) returns boolean
    language sql immutable
    return event_name in ('waiver.signed', 'waiver.revoked', 'waiver.superseded', 'waiver.held', 'hold.released', 'waiver.erased',
                          'document.sealed', 'document.downloaded', 'evidence.exported');
grant execute on function waivers.names_waiver to public;

-- Returns the sessions that replaced this one, according to its history. The history of a replaced session also says that a
-- waiver of its successor was erased. A signed session is never replaced, so it has no successors.
create or replace function waivers.successors(session uuid) returns setof uuid
    language sql stable set search_path = '' as $$
    with recursive replaced as (
        select session as id
        union
        select (e.details ->> 'replaced_by')::uuid
          from replaced r join waivers.audit_events e on e.session_id = r.id
         where e.name in ('recipient.corrected', 'session.renewed')
           and e.details ->> 'replaced_by' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
           and not exists (select from waivers.audit_events s where s.session_id = r.id and s.name = 'waiver.signed'))
    select r.id from replaced r where r.id <> session
$$;
grant execute on function waivers.successors to service_role;
