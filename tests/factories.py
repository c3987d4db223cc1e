"""Creates templates, sessions and waivers for tests, with the same SQL statements that clients of the product use."""

import base64
import json
import struct
import zlib
from typing import Any
from uuid import UUID

import asyncpg

from cairn.db import ANON, Database, Principal
from tests.people import Person

SAMPLE_TEMPLATE_ID = "template-general-liability"
# The signer's browser chooses a secret such as this one, and opens the document with it for a day.
DOCUMENT_SECRET = "f0e1d2c3-b4a5-4678-a901-234567890abc"


def png(color: bytes = b"\x00\x00\x00\xff", width: int = 3, height: int = 2) -> bytes:
    """Returns a small PNG in one color, which is given as four bytes (RGBA)."""
    rows = b"".join(b"\x00" + color * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + png_chunk(b"IHDR", header)
        + png_chunk(b"IDAT", zlib.compress(rows))
        + png_chunk(b"IEND", b"")
    )


def png_chunk(kind: bytes, body: bytes) -> bytes:
    """Returns a chunk of a PNG file: its length, its kind, its body and a checksum."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def signature_data_url(color: bytes = b"\x00\x00\x00\xff") -> str:
    return "data:image/png;base64," + base64.b64encode(png(color)).decode()


async def make_template(database: Database, owner: Person, **fields: str) -> str:
    template = {
        "name": "River trip",
        "description": "A day on the water",
        "content": "I, [PARTICIPANT NAME], ride.",
        **fields,
    }
    async with database.acting_as(owner.principal) as connection:
        template_id: str = await connection.fetchval(
            "insert into waiver_templates (name, description, content) values ($1, $2, $3) returning id",
            template["name"], template["description"], template["content"],
        )  # fmt: skip
    return template_id


async def open_session(
    database: Database, by: Principal, template_id: str = SAMPLE_TEMPLATE_ID, **columns: object
) -> UUID:
    """Opens a session with these columns of `waiver_sessions`."""
    names = ", ".join(["template_id", *columns])
    places = ", ".join(f"${number}" for number in range(1, len(columns) + 2))
    async with database.acting_as(by) as connection:
        session_id: UUID = await connection.fetchval(
            f"insert into waiver_sessions ({names}) values ({places}) returning id", template_id, *columns.values()
        )
    return session_id


async def make_session(
    database: Database,
    owner: Person,
    template_id: str = SAMPLE_TEMPLATE_ID,
    *,
    name: str = "Gil Okafor",
    email: str = "gil@example.com",
    ip: str = "",
) -> UUID:
    """Opens a session as the company does. `ip` is the address of the company's device."""
    async with database.acting_as(owner.principal, {"request.ip": ip}) as connection:
        session_id: UUID = await connection.fetchval(
            """
            insert into waiver_sessions (template_id, recipient_name, recipient_email)
            values ($1, $2, $3) returning id
            """,
            template_id, name, email,
        )  # fmt: skip
    return session_id


async def record_sending(database: Database, owner: Person, session_id: UUID) -> None:
    """Records that the session was sent, as the send dialog does before it sends the email."""
    async with database.acting_as(owner.principal) as connection:
        await connection.execute(
            """
            insert into sent_waivers (session_id, template_id, template_name, template_content, recipient_name,
                                      recipient_email)
            values ($1, 't', 'River trip', '', 'Gil', 'gil@example.com')
            """,
            session_id,
        )


async def sign(
    database: Database,
    session_id: UUID,
    *,
    by: Principal = ANON,
    name: str = "Gil Okafor",
    ip: str = "203.0.113.7",
    **columns: Any,
) -> "asyncpg.Record":
    """Signs with one insert, as the signing page does. `ip` is the address of the signer's device."""
    row = {
        "session_id": session_id,
        "signer_name": name,
        "signer_email": "gil@example.com",
        "signature": signature_data_url(),
        **columns,
    }
    names = ", ".join(row)
    placeholders = ", ".join(f"${number}" for number in range(1, len(row) + 1))
    async with database.acting_as(by, {"request.ip": ip, "request.user_agent": "A phone"}) as connection:
        stored_row = await connection.fetchrow(
            f"insert into signed_waivers ({names}) values ({placeholders}) returning *",
            *row.values(),
        )
    assert stored_row is not None
    return stored_row


def request_settings(row_id: object) -> dict[str, str]:
    """Returns the settings that the REST service passes to PostgreSQL with the filter `id=eq.<row_id>`."""
    return {"request.eq": json.dumps({"id": str(row_id)})}
