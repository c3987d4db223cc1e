"""Rate limits. The buckets are in the database, so that all server processes share them."""

import ipaddress
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import EmailSentRecently, RateLimited, TextSentRecently, TooManyEmails, TooManyTexts
from cairn.auth.model import Caller
from cairn.db import Connection

FIVE_MINUTES = timedelta(minutes=5)
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Limit:
    """A token bucket that allows a burst of `times` requests and refills completely in `within`."""

    bucket: str
    times: int
    within: timedelta
    error: type[RateLimited] = RateLimited


async def check_caller(
    context: AuthContext, caller: Caller, kind: str, times: int, within: timedelta = FIVE_MINUTES
) -> None:
    await enforce(context, caller_limit(caller, kind, times, within))


def caller_limit(caller: Caller, kind: str, times: int, within: timedelta = FIVE_MINUTES) -> Limit:
    """A limit per IP network of the caller."""
    return Limit(f"{kind} from {network_of(caller.ip)}", times, within)


def guess_limit(context: AuthContext, account: str) -> Limit:
    """A limit per account, existing or not, because guesses may come from many IP networks.

    A correct guess is given back with `refund`.
    """
    return Limit(f"guess at {_hashed(account)}", context.settings.rate_limit_guesses, FIVE_MINUTES)


async def refund(conn: Connection, limit: Limit) -> None:
    await store.return_to_bucket(conn, limit.bucket, interval=limit.within / limit.times)


async def check_email_to(context: AuthContext, purpose: str, address: str) -> None:
    """Must be called before the account is looked up, so that the error does not reveal whether it exists."""
    interval = context.settings.smtp_max_frequency
    await enforce(context, Limit(f"mail {purpose} to {_hashed(address)}", 1, interval, EmailSentRecently))
    await check_email_total(context)


async def check_email_total(context: AuthContext) -> None:
    await enforce(context, Limit("mail", context.settings.rate_limit_email_sent, HOUR, TooManyEmails))


async def check_text_to(context: AuthContext, purpose: str, phone: str) -> None:
    interval = context.settings.sms_max_frequency
    await enforce(context, Limit(f"text {purpose} to {_hashed(phone)}", 1, interval, TextSentRecently))
    await enforce(context, _text_limit(context))


async def check_factor_text(context: AuthContext, conn: Connection) -> None:
    """Counts in the transaction that queues the message, so that a message that is not sent does not count."""
    error = await first_exceeded(conn, [_text_limit(context)])
    if error is not None:
        raise error


async def enforce(context: AuthContext, limit: Limit) -> None:
    """Counts in a separate transaction, so that requests that fail later count as well."""
    wait = await store.take_from_bucket_now(
        context.database, limit.bucket, interval=limit.within / limit.times, capacity=limit.within
    )
    if wait is not None:
        raise _error(limit, wait)


async def first_exceeded(conn: Connection, limits: Sequence[Limit]) -> RateLimited | None:
    """Counts each limit until one is exceeded.

    The error must be raised after the transaction, because a rollback would undo the count.
    """
    for limit in limits:
        wait = await store.take_from_bucket(
            conn, limit.bucket, interval=limit.within / limit.times, capacity=limit.within
        )
        if wait is not None:
            return _error(limit, wait)
    return None


def _error(limit: Limit, wait: float) -> RateLimited:
    return limit.error(max(1, math.ceil(wait)))


def _text_limit(context: AuthContext) -> Limit:
    return Limit("text", context.settings.rate_limit_sms_sent, HOUR, TooManyTexts)


def network_of(ip: str | None) -> str:
    """The IPv4 address or the IPv6 /64 network, because that is what a provider assigns to one household."""
    try:
        address = ipaddress.ip_address(ip or "")
    except ValueError:
        return "nowhere"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def _hashed(address: str) -> str:
    """Hashes the address, so that the table of limits does not contain addresses of users."""
    return sha256(address.encode()).hexdigest()
