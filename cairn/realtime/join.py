"""Handles a request to join a channel."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

from cairn.db import ANON, SERVICE, DatabaseUnreachable, Principal
from cairn.kit import Problem
from cairn.realtime import replies, store
from cairn.realtime.channels import TOPIC_PREFIX, Channel
from cairn.realtime.context import RealtimeContext
from cairn.realtime.errors import (
    InvalidFilter,
    InvalidJoin,
    NothingPublished,
    NotPermitted,
    PatternsNeedAccount,
    ReplayNotAllowed,
    TableNotReadable,
    TooManyChangeSubscriptions,
    TooManyPatterns,
    TopicNameRequired,
)
from cairn.realtime.frame import Json, Message
from cairn.realtime.join_config import JoinConfig, parse_join_config
from cairn.realtime.kept_bytes import kept_size
from cairn.realtime.permission import permissions_for
from cairn.realtime.resume import is_resumable, take_position
from cairn.realtime.send_queue import SendQueue
from cairn.realtime.subscription import Subscription, matching_tables, subscribe
from cairn.realtime.tokens import token_problems

# Clients wait 10 s for the reply to a join, and then retry. After a refusal they retry too, but they know the reason.
_TIMEOUT_SECONDS = 5.0
# How many characters of its filters a refused client sees.
_MAX_SHOWN_CHARACTERS = 500
# A filter without a table applies to each published table, so a short join could cause much work.
_MAX_FILTERED_TABLES = 200


async def join(
    context: RealtimeContext,
    request: Message,
    send_queue: SendQueue,
    principal: Principal,
    *,
    length: int,
    open_regexes: int,
) -> Channel:
    """Replies only after the channel is registered, so that every commit after the reply is delivered.

    `length` is the number of characters of the request, and `open_regexes` is the number of regular expressions in the
    other channels of the socket.
    """
    config = _parse_config(context, request)
    channel = Channel(request.topic, request.join_ref or request.ref, send_queue, principal, config)
    with context.feed.keep_running():
        problem = await _add_subscriptions(context, channel, open_regexes)
        replayed_messages, resumable = await _admit(context, channel)
        delivered = await take_position(context, channel) if resumable else None
        state = _presence_state(context, channel)
        _count_channel(context, channel, length)
        context.channels.add(channel)
        if delivered is not None:
            context.feed.resume(channel, delivered)
    send_queue.put(replies.ok(request, _bindings_with_ids(config)))
    if state is not None:
        channel.push("presence_state", state)
    _report_subscriptions(context, channel, problem)
    if config.broadcast.replication_ready:
        # A channel is only joined while the feed is live.
        channel.push_system("system", "ok", "Replication connection established")
    for message in replayed_messages:
        channel.push("broadcast", message)
    return channel


def _parse_config(context: RealtimeContext, request: Message) -> JoinConfig:
    if not request.topic.removeprefix(TOPIC_PREFIX):
        raise TopicNameRequired
    try:
        request.topic.encode()
    except UnicodeEncodeError as error:
        raise InvalidJoin(reason="the topic contains half of a character") from error
    config = parse_join_config(request.payload)
    if config.broadcast.replay is not None and not config.private:
        raise ReplayNotAllowed
    if len(config.postgres_changes) > context.settings.bindings_per_channel:
        raise InvalidJoin(reason=f"at most {context.settings.bindings_per_channel} postgres_changes a channel")
    return config


async def _admit(context: RealtimeContext, channel: Channel) -> tuple[list[dict[str, Any]], bool]:
    """Checks permissions and token, sets the channel's join snapshot, and returns the stored messages to replay.

    The snapshot separates earlier messages from later ones, which the feed delivers. The list is empty unless the
    client requested a replay. Also returns whether the client continues a channel that another server has closed.
    """
    await _wait_until_live(context)
    if channel.config.private:
        channel.permissions = await permissions_for(context, channel.principal, channel.network, channel.name)
        if not (channel.permissions.receives_broadcasts or channel.permissions.receives_presence):
            raise NotPermitted(topic=channel.name)
    async with (
        context.database_turn(channel.network),
        context.database.acting_as(SERVICE, read_only=True) as connection,
    ):
        problems = await token_problems(connection, [channel])
        if channel.identity in problems:
            raise problems[channel.identity]
        channel.join_snapshot = await store.snapshot(connection)
        resumable = await is_resumable(connection, channel)
        replay = channel.config.broadcast.replay
        if replay is None or not channel.permissions.receives_broadcasts:
            return [], resumable
        since = datetime.fromtimestamp(replay.since / 1000, UTC)
        messages = await store.stored_messages(connection, channel.name, since, replay.limit)
    replayed = [
        {
            "type": "broadcast",
            "event": message.event,
            "payload": message.payload,
            "meta": {"replayed": True, "id": message.id},
        }
        for message in messages
        # Later messages are delivered by the feed.
        if channel.joined_after_commit_of(message.xid)
    ]
    return replayed, resumable


async def _wait_until_live(context: RealtimeContext) -> None:
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            await context.feed.wait_until_live()
            await context.bus.wait_until_listening()
    except TimeoutError as error:
        raise DatabaseUnreachable from error


async def _add_subscriptions(context: RealtimeContext, channel: Channel, open_regexes: int) -> Problem | None:
    """Adds all subscriptions of the channel, or none if one of them is invalid.

    With the option `wait`, the problem is raised and the join fails. Otherwise the problem is returned, and the channel
    is joined for broadcasts and presence.
    """
    if not channel.config.postgres_changes:
        return None
    await _wait_until_live(context)
    try:
        subscriptions = await _subscriptions(context, channel)
        _check_regexes(context, channel.principal, subscriptions, open_regexes)
        await _check_filters(context, channel, subscriptions)
    except (NothingPublished, InvalidFilter, PatternsNeedAccount, TooManyPatterns) as problem:
        if channel.config.postgres_changes_options.wait:
            raise
        return problem
    channel.subscriptions = subscriptions
    return None


async def _subscriptions(context: RealtimeContext, channel: Channel) -> tuple[Subscription, ...]:
    try:
        return _subscribe_to_tables(context, channel)
    except (NothingPublished, InvalidFilter):
        # The table or column may be newer than the cached catalog.
        await context.feed.read_newer_tables()
        return _subscribe_to_tables(context, channel)


def _subscribe_to_tables(context: RealtimeContext, channel: Channel) -> tuple[Subscription, ...]:
    """Counts the work before it is done, so that filters that turn out to be wrong are counted too."""
    published_tables = context.feed.tables.values()
    matched = [(binding, matching_tables(binding, published_tables)) for binding in channel.config.postgres_changes]
    filtered = [(binding.filter, len(tables)) for binding, tables in matched if binding.filter]
    filter_count = sum(table_count for _, table_count in filtered)
    if filter_count > _MAX_FILTERED_TABLES:
        raise InvalidJoin(
            reason=f"its filters apply to more than {_MAX_FILTERED_TABLES} tables. Name the table of each filter."
        )
    characters = sum(len(text) * table_count for text, table_count in filtered)
    context.limits.count_filters(channel.network, filter_count, characters)
    return tuple(subscribe(binding, tables) for binding, tables in matched)


def _check_regexes(
    context: RealtimeContext, principal: Principal, subscriptions: tuple[Subscription, ...], open_regexes: int
) -> None:
    """Limits regular expressions, because the time that they take cannot be known in advance."""
    regexes = sum(subscription.regex_count for subscription in subscriptions)
    if regexes and principal.role == ANON.role:
        raise PatternsNeedAccount
    if regexes and open_regexes + regexes > context.settings.patterns_per_socket:
        raise TooManyPatterns(limit=context.settings.patterns_per_socket)


async def _check_filters(context: RealtimeContext, channel: Channel, subscriptions: tuple[Subscription, ...]) -> None:
    """Checks the filters of all subscriptions in one statement."""
    row_filters = [
        row_filter
        for subscription in subscriptions
        for row_filter in subscription.tables.values()
        if row_filter is not None
    ]
    if not row_filters:
        return
    regexes = sum(subscription.regex_count for subscription in subscriptions)
    context.limits.count_filter_check(channel.network, regexes)
    try:
        async with (
            context.database_turn(channel.network),
            context.database.acting_as(SERVICE, store.SHORT_TIMEOUT, read_only=True) as connection,
        ):
            await store.check_filters(connection, {row_filter.check_sql for row_filter in row_filters})
    except store.STATEMENT_REJECTED as error:
        texts = ", ".join(binding.filter for binding in channel.config.postgres_changes if binding.filter)
        raise InvalidFilter(filter=texts[:_MAX_SHOWN_CHARACTERS], reason=str(error)) from error


def _presence_state(context: RealtimeContext, channel: Channel) -> Json | None:
    """Returns the encoded entries of the other members, or None for a channel without presence.

    Raises TooManyDeliveries if the network has received too many entries, because encoding them delays everyone else.
    """
    if not (channel.config.presence.enabled and channel.permissions.receives_presence):
        return None
    entries = context.presence.state(channel.key)
    if entries:
        context.limits.take_state(channel.network, channel.principal)
    state = Json(json.dumps(entries))
    context.limits.count_state(channel.network, state)
    return state


def _count_channel(context: RealtimeContext, channel: Channel, length: int) -> None:
    """Counts what the channel keeps and what each change costs for it. Raises and counts nothing if it is too much."""
    bindings = json.dumps([binding.original for binding in channel.config.postgres_changes])
    context.kept.set_join(channel, length + kept_size(bindings) - len(bindings))
    try:
        context.change_units.add(channel)
    except TooManyChangeSubscriptions:
        context.kept.remove(channel)
        raise


def _bindings_with_ids(config: JoinConfig) -> dict[str, Any]:
    """Returns the requested bindings in the same order, each with its id. The client compares them with its request."""
    return {"postgres_changes": [{**binding.original, "id": binding.id} for binding in config.postgres_changes]}


def _report_subscriptions(context: RealtimeContext, channel: Channel, problem: Problem | None) -> None:
    if not channel.config.postgres_changes:
        return
    problem = problem or _unreadable_table(context, channel)
    if problem is None:
        channel.push_system("postgres_changes", "ok", "Subscribed to PostgreSQL")
    else:
        channel.push_system("postgres_changes", "error", str(problem))


def _unreadable_table(context: RealtimeContext, channel: Channel) -> Problem | None:
    """Row-level security hides rows silently, but a role that may not select from a table at all is reported."""
    role = channel.principal.role
    for subscription in channel.subscriptions:
        for name in subscription.tables:
            table = context.feed.tables.get(name)
            if table is None or not table.is_readable_by(role):
                return TableNotReadable(role=role, table=".".join(name))
    return None
