"""Reads what a company may send at the moment."""

from datetime import UTC, datetime, time, timedelta
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.messaging.configuration import Provider
from cairn.messaging.settings import MessagingSettings

# This provider never delivers an email. Nor does the provider `service`, as long as the server has no mail server.
_LOCAL_PROVIDER: Provider = "mock"


@frozen_dataclass
class SendingStatus:
    # None for a visitor who signed a sample, because samples belong to no company. The visitor may be anyone.
    company_id: UUID | None
    # True if an email of the company would be delivered to someone.
    leaves_the_server: bool
    # False if the server has no mail server and the company has no provider. Then nothing is limited.
    is_counted: bool
    is_confirmed: bool
    sent_today: int

    @property
    def is_restricted(self) -> bool:
        """A company without a confirmed address sends few emails, and only with our own text."""
        return self.leaves_the_server and not self.is_confirmed


async def sending_status(connection: Connection, settings: MessagingSettings, company_id: UUID | None) -> SendingStatus:
    row = await connection.fetchrow(
        """
        select coalesce((select provider from messaging.configurations where company_id = $1), 'service') as provider,
               accounts.has_confirmed_address($1) as is_confirmed,
               coalesce((select sent from messaging.sent_today
                          where company_id = $1 and kind = 'sent' and day = messaging.today()), 0) as sent_today
        """,
        company_id,
    )
    assert row is not None, "a select without a table always returns a row"
    return SendingStatus(
        company_id,
        leaves_the_server(row["provider"], settings),
        is_counted=settings.smtp is not None or row["provider"] != "service",
        is_confirmed=row["is_confirmed"],
        sent_today=row["sent_today"],
    )


def leaves_the_server(provider: Provider, settings: MessagingSettings) -> bool:
    if provider == "service":
        return settings.smtp is not None
    return provider != _LOCAL_PROVIDER


def next_day(now: datetime) -> datetime:
    """Returns when the counts of the day start again."""
    return datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
