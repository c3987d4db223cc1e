import hmac
import secrets
from hashlib import sha256
from uuid import UUID

from cairn.auth.context import AuthContext
from cairn.auth.errors import PhoneCodeWrong, PhoneFactorDisabled
from cairn.auth.model import FactorChallenge, StoredFactor
from cairn.db import Connection


async def send_code(context: AuthContext, conn: Connection, factor: StoredFactor, challenge_id: UUID) -> bytes:
    """Sends a random code and returns its HMAC, which `check_code` later compares with the user's code."""
    if context.text_sender is None:
        raise PhoneFactorDisabled
    code = f"{secrets.randbelow(1_000_000):06d}"
    await context.text_sender.send(conn, factor.phone or "", f"Your code for {context.settings.host} is {code}")
    return _code_hmac(context, challenge_id, code)


def check_code(context: AuthContext, challenge: FactorChallenge, code: str) -> None:
    if challenge.code_hmac is None or not hmac.compare_digest(
        challenge.code_hmac, _code_hmac(context, challenge.id, code)
    ):
        raise PhoneCodeWrong


def _code_hmac(context: AuthContext, challenge_id: UUID, code: str) -> bytes:
    """Uses a key, because a plain hash of six digits can be reversed by trying all codes."""
    secret = context.settings.jwt_secret.get_secret_value().encode()
    return hmac.new(secret, f"factor code {challenge_id} {code}".encode(), sha256).digest()
