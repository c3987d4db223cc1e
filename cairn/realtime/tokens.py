"""Tokens end while sockets stay open: by expiry, and by signing out elsewhere."""

import asyncio
import logging
from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from cairn.db import SERVICE, Connection, Database, RetryPolicy
from cairn.kit import Problem, now
from cairn.realtime import store
from cairn.realtime.channels import Channel, Channels
from cairn.realtime.errors import SignedOut, TokenExpired

log = logging.getLogger(__name__)


async def ended_channels(connection: Connection, checked: Iterable[Channel]) -> dict[Channel, Problem]:
    """Those of these channels whose token no longer holds, and why."""
    claimed = {channel: channel.session_id for channel in checked}
    sessions = {named: _uuid(named) for named in claimed.values() if named is not None}
    standing = await store.active_sessions(connection, {session for session in sessions.values() if session})
    ended = {named for named, session in sessions.items() if session not in standing}
    moment = now()
    problems: dict[Channel, Problem] = {}
    for channel, named in claimed.items():
        if channel.has_expired(moment):
            problems[channel] = TokenExpired()
        # A token that came in while we asked is judged next time.
        elif named in ended and channel.session_id == named:
            problems[channel] = SignedOut()
    return problems


async def end_channels_of_ended_tokens(connection: Connection, channels: Channels, checked: Iterable[Channel]) -> None:
    for channel, why in (await ended_channels(connection, checked)).items():
        channels.end(channel, why)


async def run_token_checks(database: Database, channels: Channels, every: timedelta) -> None:
    """So that a channel on which nothing happens is told as well."""
    retry = RetryPolicy(log, "checking the tokens of open channels", seconds=every.total_seconds())
    while True:
        await asyncio.sleep(every.total_seconds())
        try:
            async with database.acting_as(SERVICE, read_only=True) as connection:
                await end_channels_of_ended_tokens(connection, channels, channels)
        except Exception as error:
            retry.failed(error)


def _uuid(named: str) -> UUID | None:
    """None names no session, so its token does not hold."""
    try:
        return UUID(named)
    except ValueError:
        return None
