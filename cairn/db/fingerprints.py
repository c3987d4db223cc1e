"""Remembers fingerprints of the secrets that encrypt data, so that the database is not used with other secrets.

With other secrets, old data could not be read, and new data would be encrypted differently.
"""

import hashlib
import hmac
from collections.abc import Mapping

from cairn.db.database import Connection
from cairn.db.errors import SecretChanged

_PURPOSE = b"cairn: fingerprint of a secret"


async def check_secrets(connection: Connection, secrets: Mapping[str, str]) -> None:
    """Raises `SecretChanged` if the database has been used with another secret.

    `secrets` maps the name of each setting to its secret. A secret that the database does not know yet is accepted.
    """
    if await connection.fetchval("select to_regclass('cairn.secret_fingerprints')") is None:
        return
    rows = await connection.fetch("select name, fingerprint from cairn.secret_fingerprints")
    known = {row["name"]: row["fingerprint"] for row in rows}
    for name, secret in secrets.items():
        if known.get(name, _fingerprint(secret)) != _fingerprint(secret):
            raise SecretChanged(name=name)


async def record_secrets(connection: Connection, secrets: Mapping[str, str]) -> None:
    await connection.executemany(
        "insert into cairn.secret_fingerprints (name, fingerprint) values ($1, $2) on conflict do nothing",
        [(name, _fingerprint(secret)) for name, secret in secrets.items()],
    )


def _fingerprint(secret: str) -> str:
    """Returns a part of a keyed hash, from which the secret cannot be computed."""
    return hmac.new(secret.encode(), _PURPOSE, hashlib.sha256).hexdigest()[:32]
