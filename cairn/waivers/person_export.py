"""Exports everything that is stored about a person's email address: what they signed, what was sent to them, and their
account.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any
from uuid import UUID

from cairn.db import SERVICE, Connection, Database, Principal
from cairn.kit import ZipStream, frozen_dataclass
from cairn.storage import BytesMissing, NoSuchKey
from cairn.waivers.documents import DocumentContext, DocumentDamaged, note_download

# A person has a few waivers. These limits keep one export from keeping the server busy for long.
_MAX_WAIVERS = 1_000
_MAX_INVITATIONS = 5_000
_MAX_UPLOADS = 100
_README = """\
This is what is stored about {email}. It was exported on {exported_at:%Y-%m-%d at %H:%M} UTC.

waivers/                         each waiver that was signed with this address: the record with its history, and the
                                 sealed document
invitations.json                 the waivers that were sent to this address
sendings.json, reminders.json    how these waivers were sent
unwanted_reminders.json          the companies whose reminders you have stopped
erasure_requests.json            your requests to erase what you signed, and the answers
emails.json, text_messages.json  the messages to you, without their texts
addresses_without_emails.json    why emails to this address are not sent any more
notifications_of_companies.json  what companies were notified about you
account.json, profile.json       your account
identities.json                  the providers, such as Google, with which you sign in
second_factors.json              the second steps of your sign-in
sign_ins.json                    the devices on which you are signed in
account_history.json             what happened to your account
push_subscriptions.json          the browsers that receive push messages
uploaded_files.json              the files that you have uploaded, which are in the folder "uploaded files"
messages_to_support.json         what you have written to the operator
trial.json, payers.json, orders.json, subscriptions.json, invoices.json
                                 your trial and your payments
counted_sendings.json            in which month a waiver that was sent to you was counted for its company

An empty list means that nothing is stored. Passwords, secret keys and codes are not exported. An export contains the
newest {max_waivers:,} waivers that you have signed, and the newest {max_invitations:,} that were sent to you. If you
have more, please write to us.
"""


@frozen_dataclass
class Exporter:
    """The person who exports their data. `email` is proven to be the address of the account."""

    principal: Principal
    user_id: UUID
    email: str
    ip: str | None


async def export_person(
    database: Database, documents: DocumentContext, exporter: Exporter, now: datetime
) -> AsyncIterator[bytes]:
    """Returns the parts of a ZIP file. Each signed waiver is read when the parts before it have been sent."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        waivers = await _signed_waivers(connection, exporter.email)
        lists = await _lists(connection, exporter, waivers)
    readme = _README.format(
        email=exporter.email, exported_at=now, max_waivers=_MAX_WAIVERS, max_invitations=_MAX_INVITATIONS
    )
    files = {"README.txt": readme.encode()} | {f"{name}.json": _json(rows or []) for name, rows in lists.items()}
    uploads = [(file["bucket"], file["name"]) for file in (lists["uploaded_files"] or [])[:_MAX_UPLOADS]]
    return _zip_parts(files, _upload_files(documents, uploads), _waiver_files(database, documents, exporter, waivers))


async def _zip_parts(files: dict[str, bytes], *more_files: AsyncIterator[tuple[str, bytes]]) -> AsyncIterator[bytes]:
    archive = ZipStream()
    for name, content in files.items():
        yield await asyncio.to_thread(archive.add, name, content)
    for named_files in more_files:
        async for name, content in named_files:
            yield await asyncio.to_thread(archive.add, name, content)
    yield archive.finish()


async def _upload_files(documents: DocumentContext, uploads: list[tuple[str, str]]) -> AsyncIterator[tuple[str, bytes]]:
    for number, (bucket, path) in enumerate(uploads, start=1):
        # The person may have deleted or replaced the file meanwhile.
        with contextlib.suppress(NoSuchKey, BytesMissing):
            yield f"uploaded files/{number} {path.rpartition('/')[2]}", await documents.storage.get(bucket, path)


async def _waiver_files(
    database: Database, documents: DocumentContext, exporter: Exporter, waivers: list[dict[str, Any]]
) -> AsyncIterator[tuple[str, bytes]]:
    for waiver in waivers:
        async with database.acting_as(SERVICE, read_only=True) as connection:
            record = await connection.fetchval(
                "select waivers.signed_waiver_data($1, $2)", waiver["id"], exporter.email
            )
        if record is None:
            # The waiver was erased meanwhile.
            continue
        name = f"waivers/{waiver['signed_at']:%Y-%m-%d} {waiver['id']}"
        yield f"{name}.json", await asyncio.to_thread(_indented, record)
        if waiver["document_path"] is not None:
            yield await _document_file(database, documents, exporter, waiver, name)


async def _document_file(
    database: Database, documents: DocumentContext, exporter: Exporter, waiver: dict[str, Any], name: str
) -> tuple[str, bytes]:
    try:
        document = await documents.load(waiver["document_path"], waiver["document_sha256"])
    except DocumentDamaged:
        return f"{name} document.txt", b"The document could not be read. Please write to us.\n"
    await note_download(database, waiver["id"], "signer", exporter.principal, exporter.ip)
    return f"{name}.pdf", document


async def _signed_waivers(connection: Connection, email: str) -> list[dict[str, Any]]:
    rows = await connection.fetch(
        """
        select w.id, w.company_id, w.signed_at, w.document_path, w.document_sha256
          from waivers.signed w
         where w.signer_email = $1 and w.erased_at is null
         order by w.signed_at desc
         limit $2
        """,
        email, _MAX_WAIVERS,
    )  # fmt: skip
    return [dict(row) for row in rows]


async def _lists(connection: Connection, exporter: Exporter, waivers: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the rows of each file. Each package returns what it stores."""
    email, user_id = exporter.email, exporter.user_id
    sessions = await _sessions(connection, email)
    account = await _fetch(connection, "select auth.person_data($1)", user_id)
    [user] = account["account"]
    phone = user["phone"] if user["phone_confirmed_at"] else None
    companies, waiver_ids = [waiver["company_id"] for waiver in waivers], [waiver["id"] for waiver in waivers]
    return {
        **await _fetch(connection, "select waivers.person_data($1, $2, $3)", email, user_id, sessions),
        **await _fetch(
            connection, "select messaging.person_data($1, $2, $3, $4, $5)",
            email, phone, sessions, companies, waiver_ids,
        ),
        **account,
        **await _fetch(connection, "select accounts.person_data($1)", user_id),
        **await _fetch(connection, "select storage.person_data($1)", user_id),
        **await _fetch(connection, "select inquiries.person_data($1, $2)", email, user_id),
        **await _fetch(connection, "select billing.person_data($1, $2, $3)", email, user_id, sessions),
    }  # fmt: skip


async def _sessions(connection: Connection, email: str) -> list[UUID]:
    """Returns the waivers that were sent to this address. There is one index for each half of the query."""
    rows = await connection.fetch(
        """
        (select s.id, s.created_at from waivers.sessions s where s.status = 'pending' and s.recipient_email = $1
          order by s.created_at desc limit $2)
        union all
        (select s.id, s.created_at from waivers.sessions s
          where s.status in ('signed', 'cancelled') and s.recipient_email = $1
          order by s.created_at desc limit $2)
        order by created_at desc limit $2
        """,
        email, _MAX_INVITATIONS,
    )  # fmt: skip
    return [row["id"] for row in rows]


async def _fetch(connection: Connection, query: str, *values: object) -> dict[str, Any]:
    lists: dict[str, Any] = json.loads(await connection.fetchval(query, *values))
    return lists


def _indented(json_text: str) -> bytes:
    return _json(json.loads(json_text))


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
