import secrets
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from cairn.auth import limits, store
from cairn.auth.context import AuthContext
from cairn.auth.errors import TooManyCodesRequested
from cairn.auth.factors.lock import lock_factor
from cairn.auth.factors.phone import send_code
from cairn.auth.model import CHALLENGE_LIFETIME, TEXTS_PER_CHALLENGE_LIFETIME, Caller, FactorKind, StoredFactor, User
from cairn.auth.sessions import current_user
from cairn.db import Connection, Principal
from cairn.kit import frozen_dataclass, now


@frozen_dataclass
class IssuedChallenge:
    """The part of a challenge that the client sees."""

    id: UUID
    kind: FactorKind
    expires_at: datetime
    # A passkey also needs "create" or "request", and the WebAuthn options for the browser.
    ceremony: str | None = None
    options: dict[str, Any] | None = None


async def create_challenge(
    context: AuthContext, principal: Principal, factor_id: UUID, caller: Caller
) -> IssuedChallenge:
    challenge_id, nonce = uuid4(), secrets.token_bytes(32)
    async with context.sending_transaction() as conn:
        current = await current_user(conn, principal)
        user = current.user
        factor = await lock_factor(conn, current, factor_id)
        challenge = await _build_challenge(conn, context, user, factor, challenge_id=challenge_id, nonce=nonce)
        code_hmac = (
            await _send_limited_code(context, conn, factor, challenge_id, caller)
            if factor.factor_type == "phone"
            else None
        )
        await store.add_challenge(conn, challenge_id, factor.id, caller.ip, code_hmac=code_hmac, nonce=nonce)
        await store.add_audit_entry(conn, "challenge_created", user.id, caller, factor_id=str(factor.id))
    return challenge


async def _build_challenge(
    conn: Connection, context: AuthContext, user: User, factor: StoredFactor, *, challenge_id: UUID, nonce: bytes
) -> IssuedChallenge:
    expires_at = now() + CHALLENGE_LIFETIME
    if factor.factor_type != "webauthn":
        return IssuedChallenge(challenge_id, factor.factor_type, expires_at)
    # The library is loaded when it is first needed, because few processes use passkeys and loading it takes time.
    from cairn.auth.factors.passkey import creation_options, request_options  # noqa: PLC0415 - see above

    if factor.credential is not None:
        options = request_options(context, factor, nonce)
        return IssuedChallenge(challenge_id, "webauthn", expires_at, "request", options)
    options = creation_options(context, user, nonce, await store.credentials_of(conn, user.id))
    return IssuedChallenge(challenge_id, "webauthn", expires_at, "create", options)


async def _send_limited_code(
    context: AuthContext, conn: Connection, factor: StoredFactor, challenge_id: UUID, caller: Caller
) -> bytes:
    """Sends a code within the limits per user and for the whole server, because text messages cost money."""
    recent = await store.recent_challenges(conn, factor.user_id, CHALLENGE_LIFETIME)
    if recent.count >= TEXTS_PER_CHALLENGE_LIFETIME:
        raise TooManyCodesRequested(max(1, recent.seconds_left))
    await limits.check_factor_text_limit(context, conn, caller, is_verified=factor.is_verified)
    return await send_code(context, conn, factor, challenge_id)
