"""Stores an inquiry and requests the email to the operator, in one transaction."""

from uuid import UUID, uuid4

from cairn.db import SERVICE, Database
from cairn.inquiries import store
from cairn.inquiries.errors import TooManyInquiries
from cairn.inquiries.form import Inquiry
from cairn.inquiries.operator_email import operator_email
from cairn.inquiries.settings import InquirySettings
from cairn.inquiries.store import Author, RecentInquiries
from cairn.limits import LARGER_NETWORK_FACTOR
from cairn.messaging import add_email

# All companies in one network that have a confirmed address may together send this many times as many inquiries as one
# account.
_CONFIRMED_COMPANIES_FACTOR = 4


async def receive_inquiry(database: Database, inquiry: Inquiry, author: Author, settings: InquirySettings) -> UUID:
    async with database.acting_as(SERVICE) as connection:
        is_confirmed = await store.has_confirmed_address(connection, author.company_id)
        recent = await store.count_recent_inquiries(connection, author, is_confirmed=is_confirmed)
        source = _source_that_sent_too_many(recent, settings, is_confirmed=is_confirmed)
        if source is not None:
            raise TooManyInquiries(where=source)
        inquiry_id = await store.add_message(connection, inquiry, author, is_confirmed=is_confirmed)
        # The email is retried until it is delivered, even if the mail server is unreachable for days.
        email = operator_email(uuid4(), inquiry_id, inquiry, settings.operator_email)
        await add_email(connection, email, company_id=None, keep_retrying=True)
    return inquiry_id


def _source_that_sent_too_many(recent: RecentInquiries, settings: InquirySettings, *, is_confirmed: bool) -> str | None:
    """Returns the source that the refusal names, or None if the inquiry is accepted.

    Anyone can create accounts without a confirmed address, so these share the limits of visitors.
    """
    per_network = settings.rate_limit * (_CONFIRMED_COMPANIES_FACTOR if is_confirmed else 1)
    if recent.from_user >= settings.rate_limit:
        return "your account"
    if recent.from_network >= per_network or recent.from_larger_network >= per_network * LARGER_NETWORK_FACTOR:
        return "your network"
    if recent.in_total >= settings.rate_limit_total:
        return "all senders together"
    return None
