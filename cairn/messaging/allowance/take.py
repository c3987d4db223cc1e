"""Counts an email against the limits of its company, recipient and network."""

from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass, mailbox_of, now
from cairn.limits import Limit, key_of_larger_network, take
from cairn.messaging.allowance.status import SendingStatus, next_day
from cairn.messaging.errors import (
    DailyLimitReached,
    MailLimitReached,
    NetworkLimitReached,
    NetworkLimitWithoutPlanReached,
    RecipientLimitReached,
    SignersNetworkLimitReached,
    UnconfirmedLimitReached,
)
from cairn.messaging.mail_limits import DailyQuota, MailLimits
from cairn.messaging.settings import MessagingSettings

_DAY = timedelta(days=1)
# It takes at least this many networks to use up the copies of a company for a day.
_MIN_NETWORKS_FOR_ALL_COPIES = 4


@frozen_dataclass
class CountedEmail:
    """An email to a guest, and what is needed to count it.

    `quota` is the quota of the company. Copies of signed documents have a quota of their own. `network` is the network
    of the caller or, for a copy, of the signer. For a reminder, it is the network from which the session was opened.
    """

    recipient: str
    quota: DailyQuota
    network: str
    # A test is sent to the caller's own address and has its own limit.
    is_test: bool = False


async def take_email(
    connection: Connection, settings: MessagingSettings, status: SendingStatus, email: CountedEmail
) -> MailLimitReached | None:
    """Counts a message, a reminder or a test. Returns an error if a limit is reached, or None.

    An email that stays on the server counts too, because it makes the history of its session longer.
    """
    if not status.is_counted:
        return None
    refusal = await _take_until_refused(connection, _email_limits(settings.emails, status, email))
    if refusal is not None:
        return refusal
    assert status.company_id is not None, "only copies of samples have no company"
    per_day = _max_per_day(settings.emails, status, email)
    if await _count_today(connection, status.company_id, "sent") <= per_day:
        return None
    refusal_type = UnconfirmedLimitReached if status.is_restricted else DailyLimitReached
    return refusal_type(limit=per_day, retry_after_seconds=_seconds_to_next_day())


async def take_copy(
    connection: Connection, settings: MessagingSettings, status: SendingStatus, email: CountedEmail
) -> MailLimitReached | None:
    """Counts the copy of a signed document. Returns an error if a limit is reached, or None.

    Copies that stay on the server are not counted.
    """
    if not status.leaves_the_server:
        return None
    refusal = await _take_until_refused(connection, _copy_limits(settings.emails, status, email))
    if refusal is not None or status.company_id is None:
        return refusal
    per_day = _max_per_day(settings.emails, status, email)
    if await _count_today(connection, status.company_id, "copies") <= per_day:
        return None
    return DailyLimitReached(limit=per_day, retry_after_seconds=_seconds_to_next_day())


_Limits = Iterator[tuple[Limit, type[MailLimitReached]]]


def _email_limits(limits: MailLimits, status: SendingStatus, email: CountedEmail) -> _Limits:
    if status.leaves_the_server and status.is_confirmed and not email.is_test:
        bucket = f"mail of {status.company_id} to {_hash(email.recipient)}"
        yield Limit(bucket, limits.per_recipient, _DAY), RecipientLimitReached
        yield _recipient_limit("guest mail", limits, email), RecipientLimitReached
    if not status.is_restricted:
        refusal = NetworkLimitReached if email.quota.has_plan else NetworkLimitWithoutPlanReached
        yield _network_limit("guest mail", email), refusal
    else:
        yield from _unconfirmed_limits(limits, email)


def _copy_limits(limits: MailLimits, status: SendingStatus, email: CountedEmail) -> _Limits:
    if status.is_confirmed:
        bucket = f"copies of {status.company_id} to {_hash(email.recipient)}"
        yield Limit(bucket, limits.copies_per_recipient, _DAY), RecipientLimitReached
        yield _recipient_limit("copies", limits, email), RecipientLimitReached
        yield _share_of_network(status, email), SignersNetworkLimitReached
        yield _network_limit("copies", email), SignersNetworkLimitReached
    else:
        yield from _unconfirmed_limits(limits, email)


def _unconfirmed_limits(limits: MailLimits, email: CountedEmail) -> _Limits:
    """Counts emails of all companies without a confirmed address together, so that more accounts cannot send more."""
    bucket = f"unconfirmed mail to {_hash(email.recipient)}"
    yield Limit(bucket, limits.unconfirmed_per_recipient, _DAY), RecipientLimitReached
    bucket = f"unconfirmed mail from {email.network}"
    yield Limit(bucket, limits.unconfirmed_per_network, _DAY), NetworkLimitReached


def _recipient_limit(kind: str, limits: MailLimits, email: CountedEmail) -> Limit:
    """Counts emails of many companies together, so that more companies do not bring more emails to one mailbox.

    Companies without a plan are counted separately. Anyone can create them, so they must not use up the limit of the
    others.
    """
    bucket = f"{kind} {_with_or_without_plan(email)} to {_hash(email.recipient)}"
    return Limit(bucket, limits.per_recipient_of_all_companies, _DAY)


def _network_limit(kind: str, email: CountedEmail) -> Limit:
    """Counts emails of all companies with a plan together, and of all others, so more companies cannot send more."""
    return Limit(f"{kind} {_with_or_without_plan(email)} from {email.network}", email.quota.per_network, _DAY)


def _with_or_without_plan(email: CountedEmail) -> str:
    return "with a plan" if email.quota.has_plan else "without a plan"


def _share_of_network(status: SendingStatus, email: CountedEmail) -> Limit:
    """Limits one network (IPv6: /48) to a part of the copies, because anyone can sign a public template many times."""
    network = key_of_larger_network(email.network) or email.network
    return Limit(f"copies of {status.company_id} from {network}", max_copies_of_network(email.quota), _DAY)


def max_copies_of_network(quota: DailyQuota) -> int:
    return max(1, quota.per_company // _MIN_NETWORKS_FOR_ALL_COPIES)


async def _take_until_refused(connection: Connection, limits: _Limits) -> MailLimitReached | None:
    """Counts the email against one limit after the other, until one is reached. Returns the error for it, or None."""
    for limit, refusal in limits:
        wait_seconds = await take(connection, limit)
        if wait_seconds is not None:
            return refusal(limit=limit.max_requests, retry_after_seconds=round(wait_seconds))
    return None


def _max_per_day(limits: MailLimits, status: SendingStatus, email: CountedEmail) -> int:
    per_day = email.quota.per_company
    return min(limits.unconfirmed_per_day, per_day) if status.is_restricted else per_day


async def _count_today(connection: Connection, company_id: UUID, kind: str) -> int:
    """Counts one email, and returns the number of emails today, including this one.

    The row lock makes concurrent senders wait.
    """
    sent: int = await connection.fetchval(
        """
        insert into messaging.sent_today as existing (company_id, kind, day, sent)
        values ($1, $2, messaging.today(), 1)
        on conflict (company_id, kind) do update
           set sent = case when existing.day = excluded.day then existing.sent + 1 else 1 end, day = excluded.day
        returning sent
        """,
        company_id, kind,
    )  # fmt: skip
    return sent


def _seconds_to_next_day() -> int:
    moment = now()
    return round((next_day(moment) - moment).total_seconds())


def _hash(address: str) -> str:
    """Returns a hash of the mailbox, which the name of a rate limit contains instead of the address."""
    return sha256(mailbox_of(address).encode()).hexdigest()[:32]
