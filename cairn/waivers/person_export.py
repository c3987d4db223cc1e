"""Exports everything that is stored about a person's email address: what they signed, what was sent to them, and their
account.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from asyncpg import Record

from cairn.db import SERVICE, Connection, Database, Principal
from cairn.kit import ZipStream, frozen_dataclass
from cairn.storage import BytesMissing, NoSuchKey
from cairn.waivers.documents import DocumentContext, DocumentDamaged, note_download

# Most people have a few waivers. With these limits, no export keeps the server busy for long.
_MAX_WAIVERS = 1_000
_MAX_INVITATIONS = 5_000
_MAX_UPLOADS = 100
# Each page of a list is read and written on its own. Invitations contain their history, so fewer are on a page.
_INVITATIONS_PER_PAGE = 100
_MAX_PAGES = 50
_README = """\
This is what is stored about {email}. It was exported on {exported_at:%Y-%m-%d at %H:%M} UTC.

waivers/                         each waiver that was signed with this address: the record with its history, and the
                                 sealed document
invitations.json                 the waivers that were sent to this address
sendings.json, reminders.json    how these waivers were sent
unwanted_reminders.json          the companies whose reminders you have stopped
erasure_requests.json            your requests to erase what you signed, and the answers
bookings.json, checkins.json     the bookings with this address as their contact, and when you were checked in
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

An empty list means that nothing is stored. A long list continues in other files, such as "emails 2.json". Passwords,
secret keys and codes are not exported. An export contains the newest {max_waivers:,} waivers that you
have signed, and the newest {max_invitations:,} that were sent to you. If you have more, please write to us.
"""


@frozen_dataclass
class PersonExporter:
    """The person who exports their data. They have proven that `email` is their address."""

    principal: Principal
    user_id: UUID
    email: str
    ip: str | None


@frozen_dataclass
class _PersonLists:
    """The lists of one package. `parameters` are the names of the values that its query needs."""

    schema: str
    parameters: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def query(self) -> str:
        values = ", ".join(f"${number}" for number in range(1, len(self.parameters) + 1))
        return f"select list, jsonb_pretty(entry) as entry from {self.schema}.person_data({values})"


# Each package returns what it stores. The account is first, because it contains the phone number.
_LISTS = (
    _PersonLists(
        "auth", ("user_id", "page"), ("account", "identities", "second_factors", "sign_ins", "account_history")
    ),
    _PersonLists(
        "waivers",
        ("email", "user_id", "sessions_on_page", "page"),
        ("invitations", "sendings", "reminders", "unwanted_reminders", "erasure_requests"),
    ),
    _PersonLists(
        "messaging",
        ("email", "phone", "sessions", "companies", "waivers", "page"),
        ("emails", "text_messages", "addresses_without_emails", "notifications_of_companies"),
    ),
    _PersonLists("trips", ("email", "waivers", "page"), ("bookings", "checkins")),
    _PersonLists("accounts", ("user_id", "page"), ("profile", "push_subscriptions")),
    _PersonLists("storage", ("user_id", "page"), ("uploaded_files",)),
    _PersonLists("inquiries", ("email", "user_id", "page"), ("messages_to_support",)),
    _PersonLists(
        "billing",
        ("email", "user_id", "sessions", "page"),
        ("trial", "payers", "orders", "subscriptions", "invoices", "counted_sendings"),
    ),
)

# Waits for the turn of the caller. What is read and written for an export is split into many short turns.
Turn: TypeAlias = Callable[[], AbstractAsyncContextManager[None]]


async def export_person(
    database: Database, documents: DocumentContext, exporter: PersonExporter, now: datetime, turn: Turn
) -> AsyncIterator[bytes]:
    """Returns the parts of a ZIP file. Each part is read when the parts before it have been sent."""
    async with turn(), database.acting_as(SERVICE, read_only=True) as connection:
        waivers = await _signed_waivers(connection, exporter.email)
        session_ids = await _sent_session_ids(connection, exporter.email)
    return _Export(database, documents, exporter, turn).parts(waivers, session_ids, now)


class _Export:
    def __init__(self, database: Database, documents: DocumentContext, exporter: PersonExporter, turn: Turn) -> None:
        self._database, self._documents, self._exporter, self._turn = database, documents, exporter, turn
        self._archive = ZipStream()
        # What the first pages of the lists say about the person, for the parts that follow.
        self._phone: str | None = None
        self._uploads: list[tuple[str, str]] = []

    async def parts(
        self, waivers: list[dict[str, Any]], session_ids: list[UUID], now: datetime
    ) -> AsyncIterator[bytes]:
        readme = _README.format(
            email=self._exporter.email, exported_at=now, max_waivers=_MAX_WAIVERS, max_invitations=_MAX_INVITATIONS
        )
        yield self._archive.add("README.txt", readme.encode())
        for lists in _LISTS:
            for page in range(_MAX_PAGES):
                async with self._turn():
                    part = await self._add_page(lists, waivers, session_ids, page)
                if not part:
                    break
                yield part
        for number, (bucket, path) in enumerate(self._uploads, start=1):
            async with self._turn():
                part = await self._add_upload(number, bucket, path)
            yield part
        for waiver in waivers:
            async with self._turn():
                part = await self._add_waiver(waiver)
            yield part
        yield self._archive.finish()

    async def _add_page(
        self, lists: _PersonLists, waivers: list[dict[str, Any]], session_ids: list[UUID], page: int
    ) -> bytes:
        """Adds the files of one page. Returns no bytes if nothing is on the page, unless it is the first one."""
        first = page * _INVITATIONS_PER_PAGE
        values = {
            "email": self._exporter.email,
            "user_id": self._exporter.user_id,
            "phone": self._phone,
            "sessions": session_ids,
            "sessions_on_page": session_ids[first : first + _INVITATIONS_PER_PAGE],
            "companies": [waiver["company_id"] for waiver in waivers],
            "waivers": [waiver["id"] for waiver in waivers],
            "page": page,
        }
        async with self._database.acting_as(SERVICE, read_only=True) as connection:
            rows = await connection.fetch(lists.query, *(values[name] for name in lists.parameters))
        if page == 0:
            self._read_first_page(rows)
        elif not rows:
            return b""
        return await asyncio.to_thread(self._write_page, lists, rows, page)

    def _read_first_page(self, rows: list[Record]) -> None:
        for row in rows:
            if row["list"] == "account":
                account = json.loads(row["entry"])
                self._phone = account["phone"] if account["phone_confirmed_at"] else None
            if row["list"] == "uploaded_files" and len(self._uploads) < _MAX_UPLOADS:
                file = json.loads(row["entry"])
                self._uploads.append((file["bucket"], file["name"]))

    def _write_page(self, lists: _PersonLists, rows: list[Record], page: int) -> bytes:
        """Writes what PostgreSQL has encoded, because encoding it again would stop the server for a moment."""
        entries: dict[str, list[str]] = {} if page else {name: [] for name in lists.names}
        for row in rows:
            entries.setdefault(row["list"], []).append(row["entry"])
        parts = []
        for name, texts in entries.items():
            content = "[\n" + ",\n".join(texts) + "\n]\n" if texts else "[]\n"
            parts.append(self._archive.add(f"{name}{f' {page + 1}' if page else ''}.json", content.encode()))
        return b"".join(parts)

    async def _add_upload(self, number: int, bucket: str, path: str) -> bytes:
        try:
            content = await self._documents.storage.get(bucket, path)
        except (NoSuchKey, BytesMissing):
            # The person has deleted or replaced the file meanwhile.
            return b""
        name = f"uploaded files/{number} {path.rpartition('/')[2]}"
        return await asyncio.to_thread(self._archive.add, name, content)

    async def _add_waiver(self, waiver: dict[str, Any]) -> bytes:
        async with self._database.acting_as(SERVICE, read_only=True) as connection:
            record = await connection.fetchval(
                "select jsonb_pretty(waivers.signed_waiver_data($1, $2))", waiver["id"], self._exporter.email
            )
        if record is None:
            # The waiver was erased meanwhile.
            return b""
        name = f"waivers/{waiver['signed_at']:%Y-%m-%d} {waiver['id']}"
        part = await asyncio.to_thread(self._archive.add, f"{name}.json", f"{record}\n".encode())
        if waiver["document_path"] is None:
            return part
        return part + await asyncio.to_thread(self._archive.add, *await self._document_file(waiver, name))

    async def _document_file(self, waiver: dict[str, Any], name: str) -> tuple[str, bytes]:
        try:
            document = await self._documents.load(waiver["document_path"], waiver["document_sha256"])
        except DocumentDamaged:
            return f"{name} document.txt", b"The document could not be read. Please write to us.\n"
        await note_download(self._database, waiver["id"], "signer", self._exporter.principal, self._exporter.ip)
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


async def _sent_session_ids(connection: Connection, email: str) -> list[UUID]:
    """Returns the sessions that were sent to this address, newest first. Each half of the query has its own index."""
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
