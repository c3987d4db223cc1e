"""Verifies the response to the challenge of a second factor."""

from dataclasses import field
from datetime import datetime
from typing import Any
from uuid import UUID

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import (
    ChallengeExpired,
    ChallengeIpMismatch,
    ChallengeNotFound,
    TotpCodeWrong,
)
from cairn.auth.factors.lock import lock_factor
from cairn.auth.factors.phone import check_code
from cairn.auth.factors.raise_level import raise_level
from cairn.auth.factors.wrong_codes import check_wrong_codes, record_wrong_code
from cairn.auth.model import (
    FACTOR_METHODS,
    Caller,
    FactorChallenge,
    Grant,
    StoredFactor,
    matching_totp_step,
)
from cairn.auth.sessions import current_user
from cairn.db import Connection, Principal
from cairn.kit import Problem, frozen_dataclass, now


@frozen_dataclass
class ChallengeResponse:
    """Has either a code (TOTP or SMS) or the signed response of a passkey."""

    challenge_id: str
    code: str = field(default="", repr=False)
    credential: dict[str, Any] = field(default_factory=dict, repr=False)


async def verify(
    context: AuthContext, principal: Principal, factor_id: UUID, response: ChallengeResponse, caller: Caller
) -> Grant:
    """Verifies the response to a challenge and raises the session to aal2, the level of two factors.

    A wrong response is recorded for the rate limit. Its error is raised after the transaction, because a rollback would
    delete the record.
    """
    moment = now()
    async with context.transaction() as conn:
        current = await current_user(conn, principal)
        factor = await lock_factor(conn, current, factor_id)
        challenge = await _find_challenge(conn, factor, response, caller, moment)
        await check_wrong_codes(context, conn, current.user.id, caller)
        try:
            step, credential = _check_response(context, factor, challenge, response, moment)
        except Problem as error:
            failure = error
        else:
            await store.mark_factor_verified(conn, factor, last_step=step, credential=credential)
            await store.mark_challenge_verified(conn, challenge.id, moment)
            await store.add_audit_entry(conn, "factor_verified", current.user.id, caller, factor_id=str(factor.id))
            method = FACTOR_METHODS[factor.factor_type]
            return await raise_level(context, conn, current, method=method, factor_id=factor.id, now=moment)
        await record_wrong_code(context, conn, current.user.id, challenge.id, caller)
        await store.add_audit_entry(conn, "factor_refused", current.user.id, caller, factor_id=str(factor.id))
    raise failure


async def _find_challenge(
    conn: Connection, factor: StoredFactor, response: ChallengeResponse, caller: Caller, moment: datetime
) -> FactorChallenge:
    try:
        challenge = await store.challenge_by_id(conn, factor.id, UUID(response.challenge_id))
    except ValueError as error:
        raise ChallengeNotFound from error
    if challenge is None:
        raise ChallengeNotFound
    # A challenge can be used once. A second use is refused with the same error as a use from another IP address.
    if challenge.verified_at is not None or challenge.ip != caller.ip:
        raise ChallengeIpMismatch
    if challenge.has_expired(moment):
        raise ChallengeExpired(challenge_id=challenge.id)
    return challenge


def _check_response(
    context: AuthContext,
    factor: StoredFactor,
    challenge: FactorChallenge,
    response: ChallengeResponse,
    moment: datetime,
) -> tuple[int | None, dict[str, Any] | None]:
    """Returns the TOTP time step and the passkey credential to store; each is None for the other kinds of factor.

    Raises a `Problem` if the response is wrong.
    """
    if factor.factor_type == "webauthn":
        from cairn.auth.factors.passkey import verify_response  # noqa: PLC0415 - see `_build_challenge`

        return None, verify_response(context, factor, challenge, response.credential)
    if factor.factor_type == "phone":
        check_code(context, challenge, response.code)
        return None, None
    secret = context.secret_box("factor secrets").decrypt(factor.secret or "")
    step = matching_totp_step(secret, response.code, moment, factor.last_step)
    if step is None:
        raise TotpCodeWrong
    return step, None
