"""Codes to keep in a drawer: each stands in once for a second factor that is lost."""

import secrets
from hashlib import sha256

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import RecoveryCodesNeedAal2, RecoveryCodeWrong
from cairn.auth.factors.raise_level import raise_level
from cairn.auth.model import RECOVERY_METHOD, Caller, Grant
from cairn.auth.sessions import signed_in
from cairn.db import Principal
from cairn.kit import now

COUNT = 10
# Without letters and digits that look alike. Sixteen of them are 80 bits: nobody guesses one, and no salt is needed.
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
LENGTH = 16


async def make_codes(context: AuthContext, principal: Principal, caller: Caller) -> list[str]:
    """Shown once; older ones are worthless from now on."""
    codes = [_new_code() for _ in range(COUNT)]
    async with context.transaction() as conn:
        known = await signed_in(conn, principal)
        if known.session is None or known.session.aal != "aal2":
            raise RecoveryCodesNeedAal2
        await store.replace_recovery_codes(conn, known.person.id, [_digest(code) for code in codes])
        await store.add_audit_entry(conn, "recovery_codes_made", known.person.id, caller)
    return codes


async def use_code(context: AuthContext, principal: Principal, code: str, caller: Caller) -> Grant:
    moment = now()
    async with context.transaction() as conn:
        known = await signed_in(conn, principal)
        if await store.use_recovery_code(conn, known.person.id, _digest(code), moment):
            await store.add_audit_entry(conn, "recovery_code_used", known.person.id, caller)
            return await raise_level(context, conn, known, method=RECOVERY_METHOD, factor_id=None, now=moment)
        await store.add_audit_entry(conn, "recovery_code_refused", known.person.id, caller)
    raise RecoveryCodeWrong


def _new_code() -> str:
    letters = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    return "-".join(letters[start : start + 4] for start in range(0, LENGTH, 4))


def _digest(code: str) -> bytes:
    """As people type it: with or without the dashes, large or small."""
    return sha256("".join(letter for letter in code.lower() if letter.isalnum()).encode()).digest()
