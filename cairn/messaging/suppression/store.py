"""SQL for suppressed addresses."""

from collections.abc import Sequence
from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.messaging.suppression.report import MailReport, Reason
from cairn.messaging.suppression.report_keys import ReportProvider
from cairn.messaging.suppression.scope import Scope, scope_of

_MAX_DETAIL = 500


@frozen_dataclass
class Suppression:
    reason: Reason
    detail: str

    def __str__(self) -> str:
        """Returns why an email was not sent, for Email History."""
        if self.reason == "complaint":
            return (
                "Not sent, because the owner of this address reported one of your emails as spam. "
                "Please send the link another way, for example as a text message."
            )
        detail = f" ({self.detail.rstrip('. ')})" if self.detail else ""
        return (
            f"Not sent, because an earlier email to this address came back{detail}. Please check the address. "
            "If it is right, allow it again in Email History."
        )


@frozen_dataclass
class ReportedEmail:
    id: UUID
    company_id: UUID | None
    recipient: str
    secret: bool
    status: str
    message_id: str

    @property
    def scope(self) -> Scope:
        return scope_of(company_id=self.company_id, has_secret=self.secret)


async def find_suppression(connection: Connection, scope: Scope, address: str) -> Suppression | None:
    """Returns why no email may be sent to the address, or None.

    Users who have confirmed their address always get their emails for signing in. For everyone else, a suppression of
    these emails ends after a month. A bounce of other emails without a company ends after a month too, because no one
    could allow the address again. If an address was erased, a complaint is stored with a hash of the address.
    """
    row = await connection.fetchrow(
        """
        select reason, detail
          from messaging.suppressions
         where address in (lower($1), messaging.address_hash($3, $1))
           and scope = $2 and company_id is not distinct from $3
           and (scope <> 'sign_in' or not auth.is_confirmed_address($1))
           and (scope = 'company' or (scope = 'service' and reason = 'complaint')
                or created_at > now() - interval '30 days')
         limit 1
        """,
        address, scope.kind, scope.company_id,
    )  # fmt: skip
    return None if row is None else Suppression(**row)


async def suppress(connection: Connection, scope: Scope, address: str, reason: Reason, detail: str) -> None:
    await _suppress_all(connection, [(scope, address, reason, detail)])


async def _suppress_all(connection: Connection, suppressed: Sequence[tuple[Scope, str, Reason, str]]) -> None:
    """A complaint replaces a bounce, but not the other way around."""
    await connection.execute(
        """
        insert into messaging.suppressions as existing (scope, company_id, address, reason, detail)
        select distinct on (scope, company_id, lower(address)) scope, company_id, lower(address), reason, detail
          from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[])
               as suppressed (scope, company_id, address, reason, detail)
         order by scope, company_id, lower(address), reason = 'complaint' desc
        on conflict on constraint suppressions_are_unique do update
           set reason = excluded.reason, detail = excluded.detail, created_at = now()
         where existing.reason = 'bounce'
        """,
        [scope.kind for scope, _, _, _ in suppressed],
        [scope.company_id for scope, _, _, _ in suppressed],
        [address for _, address, _, _ in suppressed],
        [reason for _, _, reason, _ in suppressed],
        [detail[:_MAX_DETAIL] for _, _, _, detail in suppressed],
    )


async def reported_emails(
    connection: Connection, reports: list[MailReport], provider: ReportProvider, company_id: UUID | None
) -> list[ReportedEmail]:
    """Returns the emails with the ids in the reports, and locks them in an order that prevents deadlocks.

    The provider of a company reports only emails that this company has sent through it. Without a company, these are
    the emails that were sent through the mail server of the operator.
    """
    rows = await connection.fetch(
        """
        select id, company_id, recipient, secret, status, message_id
          from emails
         where message_id = any ($1::text[]) and provider = $2 and ($3::uuid is null or company_id = $3)
         order by id
           for update
        """,
        list({message_id for report in reports for message_id in report.message_ids}),
        "service" if company_id is None else provider, company_id,
    )  # fmt: skip
    return [ReportedEmail(**row) for row in rows]


async def last_email_to(connection: Connection, address: str, subject: str) -> ReportedEmail | None:
    """Returns the newest email with this subject that the mail server of the operator has sent to the address."""
    row = await connection.fetchrow(
        """
        select id, company_id, recipient, secret, status, message_id
          from emails
         where lower(recipient) = lower($1) and subject = $2 and provider = 'service' and status = 'delivered'
           and created_at > now() - interval '30 days'
         order by created_at desc
         limit 1
        """,
        address, subject,
    )  # fmt: skip
    return None if row is None else ReportedEmail(**row)


async def record_reports(connection: Connection, reported: Sequence[tuple[ReportedEmail, MailReport]]) -> None:
    """Stops further emails to these addresses, and shows the reports in Email History."""
    await _suppress_all(
        connection, [(email.scope, email.recipient, report.reason, report.detail) for email, report in reported]
    )
    complaint = "The recipient reported this email as spam, so this address gets no more emails from you."
    await connection.execute(
        "update emails set error = $2 where id = any ($1::uuid[]) and error is distinct from $2",
        [email.id for email, report in reported if report.reason == "complaint"],
        complaint,
    )
    # Only emails that came back become `failed`. Those that the recipient reported as spam were delivered.
    bounces = [(email.id, report.detail) for email, report in reported if report.reason == "bounce"]
    await connection.execute(
        """
        update emails e set status = 'failed', error = bounces.error
          from unnest($1::uuid[], $2::text[]) as bounces (id, error)
         where e.id = bounces.id
        """,
        [email_id for email_id, _ in bounces],
        [f"The email came back: {detail}" if detail else "The email came back." for _, detail in bounces],
    )


async def sealed_report_key(connection: Connection, company_id: UUID, provider: ReportProvider) -> str | None:
    key: str | None = await connection.fetchval(
        "select sealed_report_key from messaging.configurations where company_id = $1 and provider = $2",
        company_id, provider,
    )  # fmt: skip
    return key
