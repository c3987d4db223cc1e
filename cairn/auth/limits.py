"""How often is too often. Buckets lie in the database, so that all server processes count together."""

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
    """So many at once, and after that as many again in the time it takes the bucket to fill."""

    bucket: str
    times: int
    within: timedelta
    error: type[RateLimited] = RateLimited


async def check_caller(
    context: AuthContext, caller: Caller, kind: str, times: int, within: timedelta = FIVE_MINUTES
) -> None:
    await enforce(context, caller_limit(caller, kind, times, within))


def caller_limit(caller: Caller, kind: str, times: int, within: timedelta = FIVE_MINUTES) -> Limit:
    """Per network address of the caller."""
    return Limit(f"{kind} from {network_of(caller.ip)}", times, within)


def guess_limit(context: AuthContext, account: str) -> Limit:
    """Per account, known or not: many addresses may guess at one. Whoever guessed right gets it back: `refund`."""
    return Limit(f"guess at {_hidden(account)}", context.settings.rate_limit_guesses, FIVE_MINUTES)


async def refund(conn: Connection, limit: Limit) -> None:
    await store.return_to_bucket(conn, limit.bucket, interval=limit.within / limit.times)


async def check_email_to(context: AuthContext, purpose: str, address: str) -> None:
    """Asked before it is known whether anybody has this address, so that a error tells nothing about it."""
    often = context.settings.smtp_max_frequency
    await enforce(context, Limit(f"mail {purpose} to {_hidden(address)}", 1, often, EmailSentRecently))
    await check_email_total(context)


async def check_email_total(context: AuthContext) -> None:
    await enforce(context, Limit("mail", context.settings.rate_limit_email_sent, HOUR, TooManyEmails))


async def check_text_to(context: AuthContext, purpose: str, phone: str) -> None:
    often = context.settings.sms_max_frequency
    await enforce(context, Limit(f"text {purpose} to {_hidden(phone)}", 1, often, TextSentRecently))
    await enforce(context, _text_limit(context))


async def check_factor_text(context: AuthContext, conn: Connection) -> None:
    """In the transaction that asks for the message: one that is not sent does not count."""
    refused = await first_exceeded(conn, [_text_limit(context)])
    if refused is not None:
        raise refused


async def enforce(context: AuthContext, limit: Limit) -> None:
    """In a transaction of its own: what is refused later has been counted all the same."""
    wait = await store.take_from_bucket_now(
        context.database, limit.bucket, interval=limit.within / limit.times, capacity=limit.within
    )
    if wait is not None:
        raise _error(limit, wait)


async def first_exceeded(conn: Connection, limits: Sequence[Limit]) -> RateLimited | None:
    """Counts each until one is reached. To be raised outside of the transaction, which would take the count back."""
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
    """One household has one IPv4 address, but a whole /64 of IPv6."""
    try:
        address = ipaddress.ip_address(ip or "")
    except ValueError:
        return "nowhere"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def _hidden(address: str) -> str:
    """The table of limits need not be a list of people."""
    return sha256(address.encode()).hexdigest()
