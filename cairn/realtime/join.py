"""Joining a topic: who asks, for what, and from which moment on."""

import asyncio
from datetime import UTC, datetime
from typing import Any

from cairn.db import SERVICE, DatabaseUnreachable, Principal
from cairn.kit import Problem
from cairn.realtime import replies, store
from cairn.realtime.channels import PREFIX, Channel
from cairn.realtime.context import RealtimeContext, token_in
from cairn.realtime.errors import (
    InvalidFilter,
    InvalidJoin,
    NothingPublished,
    NotPermitted,
    ReplayNotAllowed,
    TableNotReadable,
    TopicNameRequired,
)
from cairn.realtime.frame import Message
from cairn.realtime.join_config import JoinConfig, parse_join_config
from cairn.realtime.permission import permissions
from cairn.realtime.send_queue import SendQueue
from cairn.realtime.subscription import Subscription, subscription
from cairn.realtime.tokens import ended_channels

# Clients give up after 10 s; refused before that, they try again by themselves.
_PATIENCE_SECONDS = 5.0


async def join(context: RealtimeContext, asked: Message, outgoing: SendQueue, key: Principal) -> Channel:
    """Answers only when the channel is registered: what commits after the answer is told.

    `key` speaks for a client that sent no token of its own.
    """
    config = _config(context, asked)
    token = token_in(asked.payload)
    principal = context.caller(token) if token else key
    channel = Channel(asked.topic, asked.join_ref or asked.ref, outgoing, principal, config)
    with context.feed.kept_running():
        refusal = await _subscribe(context, channel)
        replayed = await _start(context, channel)
        context.channels.add(channel)
    outgoing.put(replies.ok(asked, _accepted(config)))
    if config.presence.enabled and channel.may.receives_presence:
        channel.push("presence_state", context.presences.state(channel.place))
    _tell_of_changes(context, channel, refusal)
    for message in replayed:
        channel.push("broadcast", message)
    return channel


def _config(context: RealtimeContext, asked: Message) -> JoinConfig:
    if not asked.topic.removeprefix(PREFIX):
        raise TopicNameRequired
    config = parse_join_config(asked.payload)
    if config.broadcast.replay is not None and not config.private:
        raise ReplayNotAllowed
    if len(config.postgres_changes) > context.settings.bindings_per_channel:
        raise InvalidJoin(why=f"at most {context.settings.bindings_per_channel} postgres_changes a channel")
    return config


async def _start(context: RealtimeContext, channel: Channel) -> list[dict[str, Any]]:
    """From here on the channel is told of what commits; returns what is to be replayed from before."""
    await _all_is_heard(context)
    if channel.config.private:
        channel.may = await permissions(context.database, channel.principal, channel.name)
        if not (channel.may.receives_broadcasts or channel.may.receives_presence):
            raise NotPermitted(topic=channel.name)
    async with context.database.acting_as(SERVICE, read_only=True) as connection:
        problems = await ended_channels(connection, [channel])
        if channel in problems:
            raise problems[channel]
        channel.since = await store.snapshot(connection)
        replay = channel.config.broadcast.replay
        if replay is None or not channel.may.receives_broadcasts:
            return []
        since = datetime.fromtimestamp(replay.since / 1000, UTC)
        kept = await store.stored_messages(connection, channel.name, since, replay.limit)
    return [
        {"type": "broadcast", "event": past.event, "payload": past.payload, "meta": {"replayed": True, "id": past.id}}
        for past in kept
        # What came in since the snapshot is told as news.
        if channel.knew(past.xid)
    ]


async def _all_is_heard(context: RealtimeContext) -> None:
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await context.feed.live()
            await context.relay.live()
    except TimeoutError as not_live:
        raise DatabaseUnreachable from not_live


async def _subscribe(context: RealtimeContext, channel: Channel) -> Problem | None:
    """All or nothing; a refusal leaves the channel joined, for whatever else it is used."""
    if not channel.config.postgres_changes:
        return None
    await _all_is_heard(context)
    try:
        subscriptions = await _subscriptions(context, channel.config)
        await _try_filters(context, channel.config, subscriptions)
    except (NothingPublished, InvalidFilter) as refusal:
        if channel.config.postgres_changes_options.wait:
            raise
        return refusal
    channel.subscriptions = subscriptions
    return None


async def _subscriptions(context: RealtimeContext, config: JoinConfig) -> tuple[Subscription, ...]:
    try:
        return tuple(subscription(binding, context.feed.tables.values()) for binding in config.postgres_changes)
    except (NothingPublished, InvalidFilter):
        # A table or column may be younger than what we know of the catalog.
        await context.feed.read_tables()
        return tuple(subscription(binding, context.feed.tables.values()) for binding in config.postgres_changes)


async def _try_filters(context: RealtimeContext, config: JoinConfig, subscriptions: tuple[Subscription, ...]) -> None:
    for binding, watched in zip(config.postgres_changes, subscriptions, strict=True):
        trials = [sieve.trial for sieve in watched.tables.values() if sieve is not None]
        if not trials:
            continue
        try:
            async with context.database.acting_as(SERVICE, store.BOUNDED, read_only=True) as connection:
                await store.try_filters(connection, trials)
        except store.REFUSED as refused:
            raise InvalidFilter(filter=binding.filter, why=str(refused)) from refused


def _accepted(config: JoinConfig) -> dict[str, Any]:
    """The client compares each binding with what it asked for, so they go back exactly as they came."""
    return {"postgres_changes": [{**binding.asked, "id": binding.id} for binding in config.postgres_changes]}


def _tell_of_changes(context: RealtimeContext, channel: Channel, refusal: Problem | None) -> None:
    if not channel.config.postgres_changes:
        return
    refusal = refusal or _unreadable(context, channel)
    if refusal is None:
        channel.tell("postgres_changes", "ok", "Subscribed to PostgreSQL")
    else:
        channel.tell("postgres_changes", "error", str(refusal))


def _unreadable(context: RealtimeContext, channel: Channel) -> Problem | None:
    """Row security hides rows without a word; a role that may not select at all is at least told so."""
    role = channel.principal.role
    for watched in channel.subscriptions:
        for name in watched.tables:
            table = context.feed.tables.get(name)
            if table is None or not table.is_readable_by(role):
                return TableNotReadable(role=role, table=".".join(name))
    return None
