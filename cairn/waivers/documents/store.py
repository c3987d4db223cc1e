"""The SQL queries for documents."""

import hashlib
import json
from datetime import datetime, timedelta
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.waivers.neutral_names import HAS_SAMPLE_NAME

# Checking everything that a large company has signed takes minutes.
_AUDIT_TIMEOUT_SECONDS = 600
HISTORY_STATEMENT_TIMEOUT = {"statement_timeout": "2s"}
"""Anyone may have a document verified, so a long history must not occupy a database connection."""

HISTORY_CHECK_SECONDS = 10
"""How long the whole check of a history may take."""


async def has_sample_name(connection: Connection, session_id: UUID) -> bool:
    """Returns True if the name of the session's template is that of a sample, so that no company chose it."""
    is_sample_name: bool = await connection.fetchval(
        f"select {HAS_SAMPLE_NAME} from waivers.sessions s where s.id = $1", session_id
    )
    return is_sample_name


async def store_document(
    connection: Connection, waiver_id: UUID, path: str, sha256: str, *, certificate: str, byte_count: int
) -> bool | None:
    """Returns True only for the call that attached the document to its record, and None if the record was erased."""
    is_attached: bool | None = await connection.fetchval(
        "select waivers.store_document($1, $2, $3, $4, $5)", waiver_id, path, sha256, certificate, byte_count
    )
    await connection.execute("delete from waivers.document_failures where waiver_id = $1", waiver_id)
    return is_attached


async def record_failure(connection: Connection, waiver_id: UUID, error: str, *, is_final: bool) -> None:
    await connection.execute(
        """
        insert into waivers.document_failures as f (waiver_id, error, is_final) values ($1, $2, $3)
        on conflict (waiver_id) do update
           set attempts = f.attempts + 1, error = excluded.error, tried_at = now(), is_final = excluded.is_final
        """,
        waiver_id, error, is_final,
    )  # fmt: skip


async def overdue_waivers(connection: Connection, *, older_than: timedelta, tries: int, limit: int = 100) -> list[UUID]:
    """Returns waivers without a document that are older than `older_than`, or whose job failed `tries` times and ended.

    The other waivers still have a job in the queue. After each failure a waiver waits twice as long, up to an hour. A
    failure in the future was recorded before the clock was set back, so it causes no wait.
    """
    rows = await connection.fetch(
        """
        select w.id
          from waivers.signed w
          left join waivers.document_failures f on f.waiver_id = w.id
         where w.document_path is null and w.erased_at is null
           and (w.signed_at < now() - $1::interval or f.attempts >= $2)
           and f.is_final is not true
           and (f.tried_at is null
                or f.tried_at > now() + interval '1 minute'
                or f.tried_at < now() - least(interval '1 hour', interval '5 seconds' * 2 ^ least(f.attempts, 12)))
         order by w.signed_at
         limit $3
        """,
        older_than, tries, limit,
    )  # fmt: skip
    return [row["id"] for row in rows]


async def wants_copy(connection: Connection, waiver_id: UUID) -> bool:
    """Returns False if a visitor signed a sample template and has not requested the copy."""
    wanted: bool = await connection.fetchval(
        """
        select not s.copy_on_request or exists (select from waivers.copy_requests r where r.waiver_id = w.id)
          from waivers.signed w
          join waivers.sessions s on s.id = w.session_id
         where w.id = $1
        """,
        waiver_id,
    )
    return wanted


async def has_known_address(connection: Connection, waiver_id: UUID, signer: str | None) -> bool:
    """Returns True if the company sent the link to the address of the signer, or `signer` was signed in with it.

    `signer` is the id of an account. A guest who invites an adult knows the link too, so the address of an invited
    adult does not count.
    """
    is_known: bool = await connection.fetchval(
        """
        select coalesce(s.recipient_email = w.signer_email and s.invited_by is null, false)
               or auth.had_confirmed($2::text::uuid, w.signer_email, w.signed_at)
          from waivers.signed w
          join waivers.sessions s on s.id = w.session_id
         where w.id = $1
        """,
        waiver_id, signer,
    )  # fmt: skip
    return is_known


async def document_bytes(connection: Connection, waiver_id: UUID) -> int | None:
    """Returns None if there is no document, or if it was made before its size was stored."""
    size: int | None = await connection.fetchval("select document_bytes from waivers.signed where id = $1", waiver_id)
    return size


async def signed_by_caller(connection: Connection, waiver_id: UUID) -> bool:
    is_signer: bool = await connection.fetchval("select waivers.signed_by_me($1)", waiver_id)
    return is_signer


async def request_copy(connection: Connection, waiver_id: UUID) -> bool:
    """Records the request, and returns True if the document exists already."""
    is_ready: bool = await connection.fetchval("select waivers.request_copy($1)", waiver_id)
    return is_ready


@frozen_dataclass
class StuckDocument:
    waiver_id: UUID
    signed_at: datetime
    attempts: int
    error: str | None


async def stuck_documents(connection: Connection, *, older_than: timedelta) -> list[StuckDocument]:
    """Returns the waivers that have waited for their document for too long, oldest first."""
    rows = await connection.fetch(
        """
        select w.id as waiver_id, w.signed_at, coalesce(f.attempts, 0) as attempts, f.error
          from waivers.signed w
          left join waivers.document_failures f on f.waiver_id = w.id
         where w.document_path is null and w.erased_at is null and w.signed_at < now() - $1::interval
           and f.is_final is not true
         order by w.signed_at
        """,
        older_than,
    )
    return [StuckDocument(**row) for row in rows]


@frozen_dataclass
class SignerCopy:
    """The newest email with a waiver's document, and the number of these emails."""

    recipient: str
    status: str
    count: int


async def latest_copy(connection: Connection, waiver_id: UUID) -> SignerCopy | None:
    row = await connection.fetchrow(
        """
        select recipient, status, count(*) over () as count
          from messaging.sent_emails
         where attachment_id = $1 and attachment_source = 'waiver-document'
         order by created_at desc
         limit 1
        """,
        waiver_id,
    )
    return None if row is None else SignerCopy(**row)


@frozen_dataclass
class ListedCertificate:
    """A certificate as the database lists it. `trusted_certificates` decides whether it is trusted."""

    fingerprint: str
    pem: str
    mac: bytes | None


async def save_certificate(connection: Connection, fingerprint: str, pem: str, mac: bytes | None) -> None:
    """Lists the certificate for other servers. They trust it only with its MAC; see `CertificateKey`."""
    is_listed = await connection.fetchval(
        """
        select exists (select from waivers.seal_certificates
                        where fingerprint = $1 and pem = $2 and ($3::bytea is null or mac = $3))
        """,
        fingerprint, pem, mac,
    )  # fmt: skip
    if is_listed:
        # The statement below would lock the row, and all transactions that seal something would wait for each other.
        return
    await connection.execute(
        """
        insert into waivers.seal_certificates as c (fingerprint, pem, mac) values ($1, $2, $3)
        on conflict (fingerprint) do update set pem = excluded.pem, mac = coalesce(excluded.mac, c.mac)
        """,
        fingerprint, pem, mac,
    )  # fmt: skip


async def listed_certificates(connection: Connection) -> list[ListedCertificate]:
    """Returns what the database lists as the certificates of all seals ever used, oldest first."""
    rows = await connection.fetch("select fingerprint, pem, mac from waivers.seal_certificates order by since")
    return [ListedCertificate(**row) for row in rows]


@frozen_dataclass
class StoredDocument:
    """The path of a document and the hash that its bytes must have. Both are None until the document is prepared."""

    waiver_id: UUID
    session_id: UUID
    template_name: str
    signed_at: datetime
    document_path: str | None
    document_sha256: str | None
    document_at: datetime | None
    revoked_at: datetime | None
    has_failed: bool
    """True if the document cannot be made."""
    erased_at: datetime | None


async def find_stored_document(connection: Connection, waiver_id: UUID) -> StoredDocument | None:
    """Returns None if the caller cannot see the waiver."""
    row = await connection.fetchrow(
        """
        select id as waiver_id, session_id, template_name, signed_at, document_path, document_sha256, document_at,
               revoked_at, document_path is null and waivers.document_failed(id) as has_failed,
               erased_at
          from waivers.signed
         where id = $1
        """,
        waiver_id,
    )
    return None if row is None else StoredDocument(**row)


async def strokes_text(connection: Connection, waiver_id: UUID) -> str | None:
    """Returns the JSON text of the strokes exactly as it is hashed. Older records may contain any JSON."""
    text: str | None = await connection.fetchval("select strokes::text from waivers.signed where id = $1", waiver_id)
    return text


async def company_of(connection: Connection, waiver_id: UUID) -> UUID | None:
    """Returns None if the waiver has no company, or if the caller cannot see it."""
    company_id: UUID | None = await connection.fetchval(
        "select company_id from waivers.signed where id = $1", waiver_id
    )
    return company_id


async def company_of_session(connection: Connection, session_id: UUID) -> UUID | None:
    company_id: UUID | None = await connection.fetchval(
        "select company_id from waivers.sessions where id = $1", session_id
    )
    return company_id


async def is_document_secret(connection: Connection, waiver_id: UUID, secret: str, signed_since: datetime) -> bool:
    """Returns True if the signer's browser chose this secret when it signed the waiver, after `signed_since`."""
    is_secret: bool = await connection.fetchval(
        """
        select exists (select from waivers.signed
                        where id = $1 and document_secret_sha256 = $2 and signed_at > $3)
        """,
        waiver_id, _secret_hash(secret), signed_since,
    )  # fmt: skip
    return is_secret


async def add_document_link(connection: Connection, waiver_id: UUID, secret: str) -> None:
    await connection.execute(
        "insert into waivers.document_links (secret_sha256, waiver_id) values ($1, $2)", _secret_hash(secret), waiver_id
    )


async def find_linked_waiver(connection: Connection, secret: str) -> UUID | None:
    waiver_id: UUID | None = await connection.fetchval(
        "select waiver_id from waivers.document_links where secret_sha256 = $1", _secret_hash(secret)
    )
    return waiver_id


def _secret_hash(secret: str) -> bytes:
    """The secrets are long and random, so they need no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


async def note_access(
    connection: Connection, waiver_id: UUID, event: str, access: dict[str, str | None], *, max_events: int
) -> None:
    """Records an event about the document or the evidence of a waiver, up to `max_events` times."""
    await connection.execute(
        "select waivers.note_access($1, $2, $3, $4)", waiver_id, event, json.dumps(access), max_events
    )


@frozen_dataclass
class EvidenceBreak:
    """A contradiction that `waivers.broken_evidence` has found in a record, an event or a history."""

    session_id: UUID
    waiver_id: UUID | None
    event_id: int | None
    reason: str

    def __str__(self) -> str:
        event = f", event {self.event_id}" if self.event_id is not None else ""
        return f"session {self.session_id}, waiver {self.waiver_id or 'none'}{event}: {self.reason}"


async def broken_evidence(
    connection: Connection, session_id: UUID | None = None, company_id: UUID | None = None
) -> list[EvidenceBreak]:
    """Checks one session, one company, or everything."""
    rows = await connection.fetch(
        "select session_id, waiver_id, event_id, reason from waivers.broken_evidence($1, $2)",
        session_id, company_id, timeout=None if session_id else _AUDIT_TIMEOUT_SECONDS,
    )  # fmt: skip
    return [EvidenceBreak(**row) for row in rows]


@frozen_dataclass
class UnsignedSession:
    """The fields of a session that its interactive PDF shows."""

    id: UUID
    company_id: UUID | None
    company_name: str
    template_name: str
    template_content: str
    recipient_name: str | None
    recipient_email: str | None


async def unsigned_session(connection: Connection, session_id: UUID) -> UnsignedSession | None:
    row = await connection.fetchrow(
        """
        select id, company_id, company_name, template_name, template_content, recipient_name, recipient_email
          from waiver_sessions
         where id = $1
        """,
        session_id,
    )
    return None if row is None else UnsignedSession(**row)


async def template(connection: Connection, template_id: str) -> dict[str, str] | None:
    """A sample template shows the name of the caller's company."""
    row = await connection.fetchrow(
        """
        select name as template_name, content,
               accounts.company_name(coalesce(company_id, accounts.my_company())) as company_name
          from waiver_templates
         where id = $1
        """,
        template_id,
    )
    return None if row is None else dict(row)
