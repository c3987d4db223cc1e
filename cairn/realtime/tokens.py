"""Ends channels whose token expired or whose user signed out while the socket stayed open."""

import asyncio
import logging
from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from cairn.db import SERVICE, Connection, Database, RetryPolicy
from cairn.kit import Problem, now
from cairn.realtime import store
from cairn.realtime.channels import Channel, Channels, Identity
from cairn.realtime.errors import SignedOut, TokenExpired

log = logging.getLogger(__name__)


async def token_problems(connection: Connection, channels: Iterable[Channel]) -> dict[Identity, Problem]:
    """Returns the identities whose token is no longer valid, each with the reason.

    All channels of an identity have the same token.
    """
    tokens = {channel.identity: channel for channel in channels}
    session_ids = {identity: channel.session_id for identity, channel in tokens.items()}
    moment = now()
    expired = [identity for identity, channel in tokens.items() if channel.has_expired(moment)]
    parsed_ids = {text: _parse_uuid(text) for text in session_ids.values() if text is not None}
    active = await store.active_sessions(connection, {session for session in parsed_ids.values() if session})
    ended = {text for text, session in parsed_ids.items() if session not in active}
    problems: dict[Identity, Problem] = {
        identity: SignedOut() for identity, session_id in session_ids.items() if session_id in ended
    }
    return problems | {identity: TokenExpired() for identity in expired}


async def end_invalid_channels(connection: Connection, channels: Channels, identities: Iterable[Identity]) -> None:
    for identity, problem in (await token_problems(connection, channels.one_of_each(identities))).items():
        # A channel that received another token during the query now has another identity, which is checked next time.
        for channel in channels.with_identity(identity):
            channels.end(channel, problem)


async def run_token_checks(database: Database, channels: Channels, interval: timedelta) -> None:
    """Checks all channels regularly, so that an idle channel is ended as well."""
    retry = RetryPolicy(log, "checking the tokens of open channels", delay_seconds=interval.total_seconds())
    while True:
        await asyncio.sleep(interval.total_seconds())
        try:
            async with database.acting_as(SERVICE, read_only=True) as connection:
                await end_invalid_channels(connection, channels, channels.identities)
        except Exception as error:
            retry.record_failure(error)


def _parse_uuid(text: str) -> UUID | None:
    """Returns None for a malformed id. None never matches an active session, so the token is then invalid."""
    try:
        return UUID(text)
    except ValueError:
        return None
