"""Stores fingerprints of the secrets, so that the database is not used with other secrets.

With other secrets, old data could not be read, project keys and access tokens would be invalid, and servers that share
the database would refuse each other's tokens.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence

from cairn.db.database import Connection
from cairn.db.errors import SecretChanged

_PURPOSE = b"cairn: fingerprint of a secret"


async def check_secrets(connection: Connection, secrets: Mapping[str, Sequence[str]]) -> None:
    """Raises `SecretChanged` if the database has been used with another secret.

    `secrets` maps the name of each setting to its secret, followed by the retired ones. The database must contain the
    fingerprint of one of them, or none for this name.
    """
    if await connection.fetchval("select to_regclass('cairn.secret_fingerprints')") is None:
        return
    rows = await connection.fetch("select name, fingerprint from cairn.secret_fingerprints")
    known = {row["name"]: row["fingerprint"] for row in rows}
    for name, accepted in secrets.items():
        if name in known and known[name] not in map(_fingerprint, accepted):
            raise SecretChanged(name=name)


async def record_secrets(connection: Connection, secrets: Mapping[str, Sequence[str]]) -> None:
    """Records the current secrets. From now on, a server that has only a retired secret does not start."""
    await connection.executemany(
        """
        insert into cairn.secret_fingerprints as known (name, fingerprint) values ($1, $2)
            on conflict (name) do update set fingerprint = excluded.fingerprint
            where known.fingerprint <> excluded.fingerprint
        """,
        [(name, _fingerprint(current)) for name, (current, *_) in secrets.items()],
    )


def _fingerprint(secret: str) -> str:
    """Returns a part of a keyed hash, from which the secret cannot be computed."""
    return hmac.new(secret.encode(), _PURPOSE, hashlib.sha256).hexdigest()[:32]
