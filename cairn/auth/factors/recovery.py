"""Creates and checks recovery codes. Each code replaces a lost second factor once."""

import secrets
from hashlib import sha256

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import RecoveryCodesNeedAal2, RecoveryCodeWrong
from cairn.auth.factors.raise_level import raise_level
from cairn.auth.model import RECOVERY_METHOD, Caller, Grant
from cairn.auth.sessions import current_user
from cairn.db import Principal
from cairn.kit import now

CODE_COUNT = 10
# The alphabet has no characters that look alike. 16 of them are almost 80 bits, which cannot be guessed, so the hashes
# need no salt.
CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
CODE_LENGTH = 16


async def create_codes(context: AuthContext, principal: Principal, caller: Caller) -> list[str]:
    """Creates new codes, which replace all earlier ones. Only hashes are stored, so codes cannot be shown again."""
    codes = [_new_code() for _ in range(CODE_COUNT)]
    async with context.transaction() as conn:
        current = await current_user(conn, principal)
        if current.session is None or current.session.aal != "aal2":
            raise RecoveryCodesNeedAal2
        await store.replace_recovery_codes(conn, current.user.id, [_digest(code) for code in codes])
        await store.add_audit_entry(conn, "recovery_codes_made", current.user.id, caller)
    return codes


async def use_code(context: AuthContext, principal: Principal, code: str, caller: Caller) -> Grant:
    moment = now()
    async with context.transaction() as conn:
        current = await current_user(conn, principal)
        if await store.use_recovery_code(conn, current.user.id, _digest(code), moment):
            await store.add_audit_entry(conn, "recovery_code_used", current.user.id, caller)
            return await raise_level(context, conn, current, method=RECOVERY_METHOD, factor_id=None, now=moment)
        await store.add_audit_entry(conn, "recovery_code_refused", current.user.id, caller)
    raise RecoveryCodeWrong


def _new_code() -> str:
    characters = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
    return "-".join(characters[start : start + 4] for start in range(0, CODE_LENGTH, 4))


def _digest(code: str) -> bytes:
    """Ignores dashes, spaces and case, because users type codes in different ways."""
    return sha256("".join(character for character in code.lower() if character.isalnum()).encode()).digest()
