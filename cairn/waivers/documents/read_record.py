"""Reads a signed waiver with everything that its document and its evidence pack contain."""

import json
from uuid import UUID

from cairn.db import Connection
from cairn.waivers.documents.record import AuditEvent, Participant, SignedRecord, WaiverEmail


async def signed_record(connection: Connection, waiver_id: UUID) -> SignedRecord | None:
    """Returns None if the caller cannot see the waiver. Only the service role sees all of its emails."""
    row = await connection.fetchrow(
        """
        select w.id, w.session_id, w.company_id,
               coalesce(w.company_name, accounts.company_name(w.company_id)) as company_name,
               w.template_id, w.template_name, w.template_version, s.template_content, w.content,
               s.recipient_name, s.recipient_email, w.signer_name, w.signer_email, w.signature, w.signed_at,
               w.ip, w.user_agent, w.time_zone, waivers.readable_strokes(w.strokes) as strokes,
               w.consent_version, w.consent_language, w.consent_text,
               -- Older records contain whatever time a device claimed. Python has no years before 1 and after 9999.
               case when w.consented_at between '0001-01-02' and '9999-12-30' then w.consented_at end as consented_at,
               case when w.first_viewed_at between '0001-01-02' and '9999-12-30'
                    then w.first_viewed_at end as first_viewed_at,
               case when w.last_viewed_at between '0001-01-02' and '9999-12-30'
                    then w.last_viewed_at end as last_viewed_at,
               w.scroll_depth, w.record_version,
               encode(w.record_sha256, 'hex') as record_sha256, w.document_path, w.document_sha256, w.document_at,
               w.revoked_at, w.revoke_reason, w.superseded_by, w.erased_at, c.time_zone as company_time_zone,
               s.form::text as form, w.initials::text as initials, w.guardian::text as guardian
          from waivers.signed w
          join waivers.sessions s on s.id = w.session_id
          left join accounts.mail_settings c on c.company_id = w.company_id
         where w.id = $1
        """,
        waiver_id,
    )
    if row is None:
        return None
    columns = {**row, "strokes": None if row["strokes"] is None else json.loads(row["strokes"])}
    events = await _events(connection, row["session_id"])
    emails = await _emails(connection, row["session_id"], waiver_id)
    participants = await _participants(connection, waiver_id) if row["form"] is not None else []
    return SignedRecord(**columns, events=events, emails=emails, participants=participants)


async def _participants(connection: Connection, waiver_id: UUID) -> list[Participant]:
    rows = await connection.fetch(
        """
        select p.id, p.number, p.takes_part, p.name, to_char(p.birth_date, 'YYYY-MM-DD') as birth_date, p.kind,
               p.answers::text as answers, p.signature, encode(p.sensitive_sha256, 'hex') as sensitive_sha256,
               s.answers::text as sensitive_answers, encode(s.salt, 'hex') as sensitive_salt
          from waivers.participants p
          left join waivers.sensitive_answers s on s.participant_id = p.id
         where p.waiver_id = $1
         order by p.number
        """,
        waiver_id,
    )
    return [Participant(**row) for row in rows]


async def _events(connection: Connection, session_id: UUID) -> list[AuditEvent]:
    rows = await connection.fetch(
        """
        select id, name, details, at, encode(previous, 'hex') as previous, encode(hash, 'hex') as hash, version,
               encode(salt, 'hex') as salt, encode(details_sha256, 'hex') as details_sha256, is_erased,
               waivers.event_title(name) as title
          from waivers.audit_events
         where session_id = $1
         order by id
        """,
        session_id,
    )
    return [AuditEvent(**{**row, "details": json.loads(row["details"])}) for row in rows]


async def _emails(connection: Connection, session_id: UUID, waiver_id: UUID) -> list[WaiverEmail]:
    rows = await connection.fetch(
        """
        select recipient, subject, status, created_at, sent_at, message_id, id
          from messaging.sent_emails
         where session_id = $1 or (attachment_source = 'waiver-document' and attachment_id = $2)
         order by created_at
        """,
        session_id, waiver_id,
    )  # fmt: skip
    return [WaiverEmail(**row) for row in rows]
