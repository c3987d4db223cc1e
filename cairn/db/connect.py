"""Opens single connections: for migrations, and for what needs a session, such as LISTEN and advisory locks."""

from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import asyncpg

from cairn.db.database import Connection
from cairn.db.start_errors import reporting_start_errors

LOGIN_ROLE = "authenticator"
_CONNECT_TIMEOUT_SECONDS = 10.0


async def connect(url: str) -> Connection:
    """Connects as the owner of the database, and reports a failure in one line."""
    with reporting_start_errors(url):
        return await open_session(url, "cairn schema")


async def open_session(
    url: str, application_name: str, *, timeout_seconds: float = _CONNECT_TIMEOUT_SECONDS
) -> "asyncpg.Connection[asyncpg.Record]":
    """`application_name` tells the operator in `pg_stat_activity` what the connection is for."""
    return await asyncpg.connect(url, timeout=timeout_seconds, server_settings={"application_name": application_name})


def with_login_role(owner_url: str, password: str) -> str:
    """Returns the URL with which the server logs in, at the same host and database."""
    parts = urlsplit(owner_url)
    host = parts.netloc.rpartition("@")[2]
    # libpq prefers a user in the query to the one before the host.
    query = [(name, value) for name, value in parse_qsl(parts.query) if name not in ("user", "password")]
    login = f"{LOGIN_ROLE}:{quote(password, safe='')}"
    return urlunsplit(parts._replace(netloc=f"{login}@{host}", query=urlencode(query, safe="/", quote_via=quote)))


def role_of(url: str) -> str:
    """Returns the role that the URL names, before the host or in the query, or an empty string if it names none."""
    parts = urlsplit(url)
    return unquote(parts.username or "") or dict(parse_qsl(parts.query)).get("user", "")
