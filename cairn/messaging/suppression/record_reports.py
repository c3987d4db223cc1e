"""Records what a provider reports about emails that this server has sent."""

from uuid import UUID

from cairn.db import Connection
from cairn.messaging.suppression import store
from cairn.messaging.suppression.report import MailReport
from cairn.messaging.suppression.report_keys import ReportProvider
from cairn.messaging.suppression.store import ReportedEmail


async def record_reports(
    connection: Connection, reports: list[MailReport], provider: ReportProvider, company_id: UUID | None
) -> int:
    """Returns how many reports were recorded. Reports about emails that were not sent from here are ignored.

    `company_id` is None for reports about emails that were sent through the mail server of the operator.
    """
    emails = await store.reported_emails(connection, reports, provider, company_id) if reports else []
    count = 0
    for report in reports:
        email = _find_email(emails, report)
        if email is None and company_id is None and report.subject:
            # Emails of the operator can reach Resend over SMTP, and Resend does not report our id of such an email.
            email = await store.last_email_to(connection, report.address, report.subject)
        if email is not None and _must_be_recorded(email, report):
            await store.suppress(connection, email.scope, email.recipient, report.reason, report.detail)
            await store.record_report(connection, email.id, report)
            count += 1
    return count


def _find_email(emails: list[ReportedEmail], report: MailReport) -> ReportedEmail | None:
    """Compares the recipient as well, because a provider can give emails to several recipients the same id."""
    for email in emails:
        if email.message_id in report.message_ids and email.recipient.lower() == report.address.lower():
            return email
    return None


def _must_be_recorded(email: ReportedEmail, report: MailReport) -> bool:
    """A complaint always counts, and a bounce only while the email is `delivered`, because it then becomes `failed`.

    A repeated bounce must not suppress an address that the company has allowed again in the meantime.
    """
    return report.reason == "complaint" or email.status == "delivered"
