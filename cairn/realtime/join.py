"""Joining a topic: who asks, for what, and from which moment on."""

import asyncio
from typing import Any

from cairn.db import SERVICE, DatabaseUnreachable, Principal
from cairn.kit import Problem
from cairn.realtime import replies, store
from cairn.realtime.channels import PREFIX, Channel
from cairn.realtime.errors import JoinUnreadable, NothingReadable, NotPermitted, TopicNameRequired
from cairn.realtime.frame import Message
from cairn.realtime.outgoing import Outgoing
from cairn.realtime.subscription import subscription
from cairn.realtime.switchboard import Switchboard, spoken_token
from cairn.realtime.tokens import lapsed
from cairn.realtime.wire import JoinConfig, join_config

# Clients give up after 10 s; refused before that, they try again by themselves.
_PATIENCE_SECONDS = 5.0


async def join(board: Switchboard, asked: Message, outgoing: Outgoing, key: Principal) -> Channel:
    """Answers only when the channel is registered: what commits after the answer is told.

    `key` speaks for a client that sent no token of its own.
    """
    config = _config(board, asked)
    token = spoken_token(asked.payload)
    principal = board.caller(token) if token else key
    channel = Channel(asked.topic, asked.join_ref or asked.ref, outgoing, principal, config)
    await _start(board, channel)
    refusal = _subscribe(board, channel)
    board.channels.add(channel)
    outgoing.put(replies.ok(asked, _accepted(config)))
    _tell_of_changes(board, channel, refusal)
    return channel


def _config(board: Switchboard, asked: Message) -> JoinConfig:
    name = asked.topic.removeprefix(PREFIX)
    if not name:
        raise TopicNameRequired
    config = join_config(asked.payload)
    if config.private:
        # There are no policies to ask yet, so nobody is permitted.
        raise NotPermitted(topic=name)
    if len(config.postgres_changes) > board.settings.bindings_per_channel:
        raise JoinUnreadable(why=f"at most {board.settings.bindings_per_channel} postgres_changes a channel")
    return config


async def _start(board: Switchboard, channel: Channel) -> None:
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await board.feed.live()
    except TimeoutError as not_live:
        raise DatabaseUnreachable from not_live
    async with board.database.acting_as(SERVICE, read_only=True) as connection:
        problems = await lapsed(connection, [channel])
        if channel in problems:
            raise problems[channel]
        channel.since = await store.snapshot(connection)


def _subscribe(board: Switchboard, channel: Channel) -> Problem | None:
    """All or nothing; a refusal leaves the channel joined, for whatever else it is used."""
    live = board.feed.tables.values()
    try:
        channel.subscriptions = tuple(subscription(binding, live) for binding in channel.config.postgres_changes)
    except Problem as refusal:
        return refusal
    return None


def _accepted(config: JoinConfig) -> dict[str, Any]:
    """The client compares each binding with what it asked for, so they go back exactly as they came."""
    return {"postgres_changes": [{**binding.asked, "id": binding.id} for binding in config.postgres_changes]}


def _tell_of_changes(board: Switchboard, channel: Channel, refusal: Problem | None) -> None:
    if not channel.config.postgres_changes:
        return
    refusal = refusal or _unreadable(board, channel)
    if refusal is None:
        channel.tell("postgres_changes", "ok", "Subscribed to PostgreSQL")
    else:
        channel.tell("postgres_changes", "error", str(refusal))


def _unreadable(board: Switchboard, channel: Channel) -> Problem | None:
    """Row security hides rows without a word; a role that may not select at all is at least told so."""
    role = channel.principal.role
    for watched in channel.subscriptions:
        for name in watched.tables:
            if not board.feed.tables[name].readable_by(role):
                return NothingReadable(role=role, table=".".join(name))
    return None
