"""A code by text message."""

import hmac
import secrets
from hashlib import sha256
from uuid import UUID

from cairn.auth.desk import Desk
from cairn.auth.errors_of_factors import PhoneCodeWrong, PhoneFactorDisabled
from cairn.auth.factor import Held, Posed
from cairn.db import Connection


async def send_code(desk: Desk, conn: Connection, factor: Held, challenge_id: UUID) -> bytes:
    """What the right answer will be recognised by."""
    if desk.texts is None:
        raise PhoneFactorDisabled
    code = f"{secrets.randbelow(1_000_000):06d}"
    await desk.texts.send(conn, factor.phone or "", f"Your code for {desk.settings.host} is {code}")
    return _mark(desk, challenge_id, code)


def check_code(desk: Desk, posed: Posed, code: str) -> None:
    if posed.code_hmac is None or not hmac.compare_digest(posed.code_hmac, _mark(desk, posed.id, code)):
        raise PhoneCodeWrong


def _mark(desk: Desk, challenge_id: UUID, code: str) -> bytes:
    """Six digits are soon tried through, so a hash alone would hide nothing."""
    secret = desk.settings.jwt_secret.get_secret_value().encode()
    return hmac.new(secret, f"factor code {challenge_id} {code}".encode(), sha256).digest()
