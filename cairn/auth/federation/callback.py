"""The way back: the provider sends the browser here, and we send it on to where it came from."""

import logging
from dataclasses import dataclass, replace
from uuid import UUID

from cairn.auth import store
from cairn.auth.desk import Desk
from cairn.auth.errors import UserNotFound
from cairn.auth.errors_by_provider import BadState, CallbackIncomplete, ProviderRefused
from cairn.auth.federation.arrive import Becoming, arrive, link
from cairn.auth.federation.authorize import callback_address, provider_named
from cairn.auth.federation.profile import Profile, from_claims
from cairn.auth.grant import open_session
from cairn.auth.journey import Journey
from cairn.auth.landing import with_error, with_query, with_session
from cairn.auth.model import Caller, Person
from cairn.auth.openid import Arrival
from cairn.db import Connection
from cairn.kit import Problem, now

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the browser brought from the provider."""

    state: str
    code: str
    error: str
    error_description: str


async def callback(desk: Desk, answer: Answer, caller: Caller) -> str:
    """Where the browser goes next. A refusal travels along: there is nobody here to read it."""
    journey = await expected(desk, answer.state, "oauth")
    try:
        arrival = await _arrival(desk, journey, answer)
        profile = from_claims(journey.provider, arrival.claims)
        return await let_in(desk, journey, profile, Becoming(journey.role or "company"), caller=caller, arrival=arrival)
    except Problem as problem:
        log.info("sign-in with %s refused: %s (%s)", journey.provider, problem.code, problem)
        return with_error(journey.referrer, problem)


async def expected(desk: Desk, state: str, method: str) -> Journey:
    """One answer to one departure; raises `BadState` for anything else."""
    try:
        journey_id = UUID(state)
    except ValueError as malformed:
        raise BadState from malformed
    async with desk.transaction() as conn:
        journey = await store.answer_journey(conn, journey_id, method, now())
    if journey is None:
        raise BadState
    return journey


async def let_in(
    desk: Desk, journey: Journey, profile: Profile, becomes: Becoming, *, caller: Caller, arrival: Arrival | None = None
) -> str:
    """With a code in the PKCE form, with the session itself in the implicit one."""
    token, refresh_token = (arrival.access_token, arrival.refresh_token) if arrival else (None, None)
    moment = now()
    async with desk.transaction() as conn:
        person = await _person(desk, conn, journey, profile, becomes, caller=caller)
        if journey.code_challenge is not None:
            sealed = [part and desk.seal("provider tokens").close(part) for part in (token, refresh_token)]
            await store.hold_for_exchange(conn, journey.id, person.id, *sealed)
            return with_query(journey.referrer, {"code": str(journey.auth_code)})
        await store.remove_journey(conn, journey.id)
        granted = await open_session(
            desk,
            conn,
            person,
            method=journey.authentication_method,
            caller=caller,
            now=moment,
            provider=journey.provider,
        )
    return with_session(journey.referrer, replace(granted, provider_token=token, provider_refresh_token=refresh_token))


async def _arrival(desk: Desk, journey: Journey, answer: Answer) -> Arrival:
    if answer.error:
        raise ProviderRefused(reason=(answer.error_description or answer.error)[:200])
    if not answer.code:
        raise CallbackIncomplete
    return await provider_named(desk, journey.provider).arrival(
        answer.code, back_to=callback_address(desk), nonce=journey.nonce or "", verifier=journey.provider_verifier or ""
    )


async def _person(
    desk: Desk, conn: Connection, journey: Journey, profile: Profile, becomes: Becoming, *, caller: Caller
) -> Person:
    if journey.linking_user_id is None:
        return await arrive(conn, desk.settings, profile, becomes=becomes, caller=caller, now=now())
    person = await store.person_by_id(conn, journey.linking_user_id)
    if person is None or person.deleted_at is not None:
        raise UserNotFound
    return await link(conn, person, profile, caller, now())
