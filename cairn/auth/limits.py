"""Enforces rate limits. The buckets are in the database, so that all server processes share them."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

from cairn import limits
from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import (
    RateLimited,
    TextSentRecently,
    TooManyTexts,
    TooManyWrongCodes,
    TooManyWrongMailedCodes,
    TooManyWrongPasswords,
)
from cairn.auth.model import Caller
from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.limits import larger_network_of, network_of
from cairn.messaging import newest_code_failed

FIVE_MINUTES = timedelta(minutes=5)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
# Responses that must say whether an address has an account are limited to these numbers.
TAKEN_ADDRESSES_PER_DAY = 10
UNKNOWN_ADDRESSES_PER_HOUR = 30


@frozen_dataclass
class Limit(limits.Limit):
    error: type[RateLimited] = RateLimited


async def check_caller_limit(
    context: AuthContext, caller: Caller, kind: str, max_requests: int, window: timedelta = FIVE_MINUTES
) -> None:
    await enforce(context, caller_limit(caller, kind, max_requests, window))


def caller_limit(caller: Caller, kind: str, max_requests: int, window: timedelta = FIVE_MINUTES) -> Limit:
    """Returns the limit for the IP network of the caller."""
    return Limit(f"{kind} from {network_of(caller.ip)}", max_requests, window)


async def code_guess_limit(context: AuthContext, kind: str, address: str, caller: Caller) -> Limit:
    """Returns the limit that counts a wrong code.

    A text message has no link as a way around the limit. So each network in which the owner of a phone number has used
    a texted code has its own limit, which strangers in other networks cannot use up.
    """
    limit = guess_limit(context, address)
    if kind != "sms":
        return limit
    async with context.transaction(read_only=True) as conn:
        owner_networks = {larger_network_of(ip) for ip in await store.phone_sign_in_ips(conn, address)}
    network = larger_network_of(caller.ip)
    return replace(limit, bucket=f"{limit.bucket} from {network}") if network in owner_networks else limit


def guess_limit(context: AuthContext, address: str) -> Limit:
    """Returns the limit for wrong codes for one address, which may come from many IP networks.

    Each code can be tried a few times, but a guesser can request many codes. Addresses without an account have a limit
    too. After a correct code, `refund` undoes its count. The links in emails are not limited, so that a guesser
    cannot lock the owner out.
    """
    return Limit(f"guess at {hash_of(address)}", context.settings.rate_limit_guesses, DAY, TooManyWrongMailedCodes)


def taken_address_limit(user_id: UUID) -> Limit:
    """Returns the limit for a user's requests to move to addresses that belong to other accounts."""
    return Limit(f"taken addresses for {user_id}", TAKEN_ADDRESSES_PER_DAY, DAY)


def unknown_address_limit(caller: Caller) -> Limit:
    """Returns the limit for requests that need an existing account, but name an address without one."""
    return Limit(f"unknown addresses from {larger_network_of(caller.ip)}", UNKNOWN_ADDRESSES_PER_HOUR, HOUR)


def nonce_guess_limit(context: AuthContext, user_id: UUID) -> Limit:
    """Returns the limit for wrong codes that a signed-in user enters to confirm a change of their account."""
    return Limit(f"wrong nonce of {user_id}", context.settings.rate_limit_guesses, DAY, TooManyWrongCodes)


async def check_wrong_factor_codes(context: AuthContext, conn: Connection, user_id: UUID) -> None:
    """Raises an error if too many wrong codes for second factors came in a day from networks other than the owner's.

    The recovery codes of the owner are not limited, and they work in every network.
    """
    limit = _wrong_factor_codes(context, user_id)
    wait_seconds = await limits.seconds_to_wait(conn, limit)
    if wait_seconds is not None:
        raise limit_error(limit, wait_seconds)


async def count_wrong_factor_code(context: AuthContext, conn: Connection, user_id: UUID) -> None:
    await limits.take(conn, _wrong_factor_codes(context, user_id))


def _wrong_factor_codes(context: AuthContext, user_id: UUID) -> Limit:
    return Limit(f"wrong factor code of {user_id}", context.settings.rate_limit_guesses, DAY, TooManyWrongCodes)


def password_tries_key(address: str, caller: Caller) -> str:
    """Returns the key under which tries of passwords are counted. Each address and IP network has its own key."""
    return hash_of(f"{address} from {larger_network_of(caller.ip)}")


async def check_password_tries(context: AuthContext, tries_key: str) -> None:
    """Counts a try of a password before it is checked, and raises an error if it comes too early."""
    async with context.transaction() as conn:
        error = await password_tries_error(context, conn, tries_key)
    if error is not None:
        raise error


async def password_tries_error(context: AuthContext, conn: Connection, tries_key: str) -> RateLimited | None:
    """Counts a try of a password, and returns an error if it comes too early.

    The caller raises the error after the transaction, because a rollback would undo the count.
    """
    wait_seconds = await store.begin_password_try(
        conn,
        tries_key,
        free_tries=context.settings.rate_limit_wrong_passwords,
        max_wait=context.settings.wrong_password_max_wait,
    )
    return None if wait_seconds is None else TooManyWrongPasswords(math.ceil(wait_seconds))


async def refund(conn: Connection, limit: Limit) -> None:
    await limits.give_back(conn, limit)


async def check_text_limit(
    context: AuthContext, purpose: str, phone: str, caller: Caller, *, by_owner: bool = False
) -> None:
    """`by_owner` means that the caller is signed in to an account that has confirmed the number."""
    limit = Limit(f"text {purpose} to {hash_of(phone)}", 1, context.settings.sms_max_frequency, TextSentRecently)
    async with context.transaction() as conn:
        # A code that the gateway has refused did not arrive. It still counts in the limits below, which protect the
        # gateway.
        if await newest_code_failed(conn, phone):
            await refund(conn, limit)
    await enforce(context, limit)
    for limit in _text_limits(context, caller, by_owner=by_owner):
        await enforce(context, limit)


async def check_factor_text_limit(context: AuthContext, conn: Connection, caller: Caller, *, is_verified: bool) -> None:
    """Counts a text message in the transaction that queues it, so that a message that is not sent does not count."""
    error = await first_limit_error(conn, _text_limits(context, caller, by_owner=is_verified))
    if error is not None:
        raise error


async def enforce(context: AuthContext, limit: Limit) -> None:
    """Counts the request in a separate transaction, so that it counts even if it fails later."""
    wait_seconds = await limits.take_now(context.database, limit)
    if wait_seconds is not None:
        raise limit_error(limit, wait_seconds)


async def check(context: AuthContext, limit: Limit) -> None:
    """Raises an error if the limit is reached, without counting the request."""
    async with context.transaction(read_only=True) as conn:
        wait_seconds = await limits.seconds_to_wait(conn, limit)
    if wait_seconds is not None:
        raise limit_error(limit, wait_seconds)


async def first_limit_error(conn: Connection, checked_limits: Sequence[Limit]) -> RateLimited | None:
    """Counts the request in each limit until one is exceeded, and returns the error of that limit.

    A rollback undoes the count, so a caller for whom the request has to count raises the error after the transaction.
    """
    for limit in checked_limits:
        wait_seconds = await limits.take(conn, limit)
        if wait_seconds is not None:
            return limit_error(limit, wait_seconds)
    return None


def limit_error(limit: Limit, wait_seconds: float) -> RateLimited:
    return limit.error(max(1, math.ceil(wait_seconds)))


def _text_limits(context: AuthContext, caller: Caller, *, by_owner: bool) -> list[Limit]:
    """Returns the limits for text messages, which cost money.

    All callers share one limit. One IPv4 address or IPv6 /48 network gets at most a third of it. Texts to numbers that
    the caller has not confirmed get at most half of it. The rest is kept for second factors, because their owners
    cannot sign in without a text.
    """
    total = context.settings.rate_limit_sms_sent
    limits_of_caller = [Limit(f"text from {larger_network_of(caller.ip)}", max(1, total // 3), HOUR, TooManyTexts)]
    if not by_owner:
        limits_of_caller.append(Limit("text for strangers", max(1, total // 2), HOUR, TooManyTexts))
    return [*limits_of_caller, Limit("text", total, HOUR, TooManyTexts)]


def hash_of(address: str) -> str:
    """Hashes the address, so that the table of rate limits does not reveal it."""
    return sha256(address.encode()).hexdigest()
