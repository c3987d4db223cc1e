"""Compares signing a waiver, including policies, history and outbox, with only the two writes that it needs."""

import base64
import os
import struct
import zlib
from collections.abc import Callable, Iterator

import asyncpg

from bench import load, pgbench
from bench.load import CLIENT_COUNT
from bench.row import Row
from bench.server import Server
from tests.factories import png_chunk

SESSION_COUNT = 20_000

# Signing needs at least these two writes: one inserts the waiver, one updates its session.
PLAIN_WRITES = f"""
\\set session random(1, {SESSION_COUNT})
begin;
insert into bench.signed
       (session_id, company_id, template_id, template_name, signer_name, signer_email, signature, content, signed_at)
values (:session, :company, 'bench', 'River trip', 'Gil Okafor', 'gil@example.com', :signature, 'I take part.', now());
update bench.sessions
   set status = 'signed', signed_at = now(), signature = :signature, signer_name = 'Gil Okafor',
       signer_email = 'gil@example.com'
 where id = :session;
commit;
"""
CREATE_TABLES = """
create schema bench;
create table bench.sessions (
    id int primary key, company_id uuid not null, template_id text not null, template_content text not null,
    recipient_name text, recipient_email text, status text not null, created_at timestamptz not null default now(),
    signed_at timestamptz, signature text, signer_name text, signer_email text);
create table bench.signed (
    id uuid primary key default gen_random_uuid(), session_id int not null references bench.sessions,
    company_id uuid not null, template_id text not null, template_name text not null, signer_name text not null,
    signer_email text not null, signature text not null, content text not null, signed_at timestamptz not null);
create index on bench.sessions (company_id, created_at desc);
create index on bench.signed (company_id, signed_at desc);
alter table bench.sessions alter column signature set storage external;
alter table bench.signed alter column signature set storage external;
"""
INSERT_SESSIONS = """
insert into bench.sessions (id, company_id, template_id, template_content, status)
select number, $1, 'bench', 'I take part.', 'pending' from generate_series(1, $2) as number
"""
INSERT_SESSIONS_TO_SIGN = """
insert into waivers.sessions (company_id, template_id, template_name, template_content, status, expires_at)
select $1, 'bench', 'River trip', 'I take part.', 'pending', now() + interval '1 day' from generate_series(1, $2)
returning id
"""


async def measure(server: Server, company_id: str, seconds: int) -> Row:
    image = random_signature()
    connection = await asyncpg.connect(server.db_url)
    await connection.execute(CREATE_TABLES)
    await connection.execute(INSERT_SESSIONS, company_id, SESSION_COUNT)
    sessions = await connection.fetch(INSERT_SESSIONS_TO_SIGN, company_id, SESSION_COUNT)
    await connection.close()

    next_request = signing_requests(server, (str(record["id"]) for record in sessions), image)
    await server.settle()
    service_rate, plain_rate = await pgbench.compare(
        server, next_request, PLAIN_WRITES, status=201, seconds=seconds, signature=image, company=company_id
    )
    details = f"{service_rate:.0f} a second, plain writes {plain_rate:.0f}; {CLIENT_COUNT} clients, 10 KB signature"
    return Row("sign a waiver", service_rate / plain_rate, goal=0.25, unit="of pgbench", details=details)


def signing_requests(
    server: Server, sessions: Iterator[str], image: str, **form_columns: object
) -> Callable[[], bytes]:
    """Returns a function that builds the next request. Only the session id differs between the requests."""
    placeholder = "0" * 36
    headers = {**server.headers(), "Prefer": "return=minimal"}
    signer = {"signer_name": "Gil Okafor", "signer_email": "gil@example.com", "signature": image}
    row = {"session_id": placeholder, **signer, **form_columns}
    template = load.build_request("POST", "/rest/v1/signed_waivers", headers, row)
    return lambda: template.replace(placeholder.encode(), next(sessions).encode(), 1)


def random_signature() -> str:
    """Returns a picture as a data URL of about 10 KB. Its pixels are random, so that it cannot be compressed."""
    width, height = 48, 38
    rows = b"".join(b"\x00" + os.urandom(width * 4) for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(rows)) + png_chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + chunks).decode()
