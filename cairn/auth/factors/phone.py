"""A code by text message."""

import hmac
import secrets
from hashlib import sha256
from uuid import UUID

from cairn.auth.context import AuthContext
from cairn.auth.errors import PhoneCodeWrong, PhoneFactorDisabled
from cairn.auth.model import FactorChallenge, StoredFactor
from cairn.db import Connection


async def send_code(context: AuthContext, conn: Connection, factor: StoredFactor, challenge_id: UUID) -> bytes:
    """What the right answer will be recognised by."""
    if context.texts is None:
        raise PhoneFactorDisabled
    code = f"{secrets.randbelow(1_000_000):06d}"
    await context.texts.send(conn, factor.phone or "", f"Your code for {context.settings.host} is {code}")
    return _mark(context, challenge_id, code)


def check_code(context: AuthContext, posed: FactorChallenge, code: str) -> None:
    if posed.code_hmac is None or not hmac.compare_digest(posed.code_hmac, _mark(context, posed.id, code)):
        raise PhoneCodeWrong


def _mark(context: AuthContext, challenge_id: UUID, code: str) -> bytes:
    """Six digits are soon tried through, so a hash alone would hide nothing."""
    secret = context.settings.jwt_secret.get_secret_value().encode()
    return hmac.new(secret, f"factor code {challenge_id} {code}".encode(), sha256).digest()
