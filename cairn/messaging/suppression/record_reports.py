"""Records what a provider reports about emails that this server has sent."""

from collections.abc import Mapping
from uuid import UUID

from cairn.db import Connection
from cairn.messaging.suppression import store
from cairn.messaging.suppression.report import MailReport
from cairn.messaging.suppression.report_keys import ReportProvider
from cairn.messaging.suppression.store import ReportedEmail


async def record_reports(
    connection: Connection, reports: list[MailReport], provider: ReportProvider, company_id: UUID | None
) -> int:
    """Records the reports, and returns how many emails they are about. Emails that were not sent from here are ignored.

    A company could sign thousands of made-up reports about its emails. So only one report is recorded for each email,
    and all of them with a few statements. `company_id` is None for reports about emails that were sent through
    the mail server of the operator.
    """
    emails = await store.reported_emails(connection, reports, provider, company_id) if reports else []
    # The recipient is compared as well, because a provider can give emails to several recipients the same id.
    emails_by_id = {(email.message_id, email.recipient.lower()): email for email in emails}
    recorded: dict[UUID, tuple[ReportedEmail, MailReport]] = {}
    for report in reports:
        email = _find_email(emails_by_id, report)
        if email is None and company_id is None and report.subject:
            # Emails of the operator can reach Resend over SMTP, and Resend does not report our id of such an email.
            email = await store.last_email_to(connection, report.address, report.subject)
        if email is not None and _must_be_recorded(email, report):
            is_first = email.id not in recorded
            if is_first or report.reason == "complaint":
                recorded[email.id] = email, report
    if recorded:
        await store.record_reports(connection, list(recorded.values()))
    return len(recorded)


def _find_email(emails_by_id: Mapping[tuple[str, str], ReportedEmail], report: MailReport) -> ReportedEmail | None:
    for message_id in report.message_ids:
        if (email := emails_by_id.get((message_id, report.address.lower()))) is not None:
            return email
    return None


def _must_be_recorded(email: ReportedEmail, report: MailReport) -> bool:
    """A complaint always counts. A bounce counts only while the email is `delivered`, and makes it `failed`.

    So a bounce counts once. A repeated bounce must not suppress an address that the company has allowed again in the
    meantime.
    """
    return report.reason == "complaint" or email.status == "delivered"
