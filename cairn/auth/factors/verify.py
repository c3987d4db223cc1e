from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import (
    ChallengeExpired,
    ChallengeIpMismatch,
    ChallengeNotFound,
    FactorNotFound,
    TooManyWrongCodes,
    TotpCodeWrong,
)
from cairn.auth.factors.passkey import proven
from cairn.auth.factors.phone import check_code
from cairn.auth.factors.raise_level import raise_level
from cairn.auth.model import (
    CHALLENGE_LIFETIME,
    FACTOR_METHODS,
    Caller,
    FactorChallenge,
    Grant,
    StoredFactor,
    matching_step,
)
from cairn.auth.sessions import signed_in
from cairn.db import Connection, Principal
from cairn.kit import Problem, now


@dataclass(frozen=True, slots=True)
class Response:
    """The answer to a challenge: a code, or what a passkey signed."""

    challenge_id: str
    code: str = field(default="", repr=False)
    signed: dict[str, Any] = field(default_factory=dict, repr=False)


async def verify(
    context: AuthContext, principal: Principal, factor_id: UUID, response: Response, caller: Caller
) -> Grant:
    """The right answer raises the session; a wrong one is counted, which is why its transaction commits."""
    moment = now()
    async with context.transaction() as conn:
        known = await signed_in(conn, principal)
        factor = await store.locked_factor(conn, known.person.id, factor_id)
        if factor is None:
            raise FactorNotFound
        posed = await _open_challenge(conn, factor, response, caller, moment)
        recently = await store.recent_attempts(conn, known.person.id, CHALLENGE_LIFETIME)
        if recently.failures >= context.settings.mfa.tries:
            raise TooManyWrongCodes(max(1, recently.seconds_left))
        try:
            step, credential = _accepted(context, factor, posed, response, moment)
        except Problem as wrong:
            refusal = wrong
        else:
            await store.mark_factor_verified(conn, factor, last_step=step, credential=credential)
            await store.mark_challenge_verified(conn, posed.id, moment)
            await store.add_audit_entry(conn, "factor_verified", known.person.id, caller, factor_id=str(factor.id))
            method = FACTOR_METHODS[factor.factor_type]
            return await raise_level(context, conn, known, method=method, factor_id=factor.id, now=moment)
        await store.record_challenge_failure(conn, posed.id)
        await store.add_audit_entry(conn, "factor_refused", known.person.id, caller, factor_id=str(factor.id))
    raise refusal


async def _open_challenge(
    conn: Connection, factor: StoredFactor, response: Response, caller: Caller, moment: datetime
) -> FactorChallenge:
    try:
        posed = await store.challenge_by_id(conn, factor.id, UUID(response.challenge_id))
    except ValueError as malformed:
        raise ChallengeNotFound from malformed
    if posed is None:
        raise ChallengeNotFound
    if posed.verified_at is not None or posed.ip != caller.ip:
        raise ChallengeIpMismatch
    if posed.has_expired(moment):
        raise ChallengeExpired(challenge_id=posed.id)
    return posed


def _accepted(
    context: AuthContext, factor: StoredFactor, posed: FactorChallenge, response: Response, moment: datetime
) -> tuple[int | None, dict[str, Any] | None]:
    """What is to be remembered of the proof; raises when it is none."""
    if factor.factor_type == "webauthn":
        return None, proven(context, factor, posed, response.signed)
    if factor.factor_type == "phone":
        check_code(context, posed, response.code)
        return None, None
    secret = context.secret_box("factor secrets").decrypt(factor.secret or "")
    step = matching_step(secret, response.code, moment, factor.last_step)
    if step is None:
        raise TotpCodeWrong
    return step, None
