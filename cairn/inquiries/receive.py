"""Stores an inquiry and requests the email to the operator, in one transaction."""

from uuid import UUID, uuid4

from cairn.db import SERVICE, Database
from cairn.inquiries import store
from cairn.inquiries.errors import TooManyInquiries
from cairn.inquiries.form import Inquiry
from cairn.inquiries.operator_email import operator_email
from cairn.inquiries.settings import InquirySettings
from cairn.kit import frozen_dataclass
from cairn.limits import LARGER_NETWORK_FACTOR
from cairn.messaging import add_email


@frozen_dataclass
class Author:
    """The network or account from which an inquiry was sent. Both are used for rate limits."""

    network: str | None
    user_id: UUID | None = None
    company_id: UUID | None = None


async def receive_inquiry(database: Database, inquiry: Inquiry, author: Author, settings: InquirySettings) -> UUID:
    async with database.acting_as(SERVICE) as connection:
        recent = await store.count_recent_inquiries(connection, author.network, author.user_id)
        if (
            recent.from_author >= settings.rate_limit
            or recent.from_larger_network >= settings.rate_limit * LARGER_NETWORK_FACTOR
            or recent.from_all >= settings.rate_limit_total
        ):
            raise TooManyInquiries(where="your account" if author.user_id else "your network")
        inquiry_id = await store.add_message(connection, inquiry, author.network, author.user_id, author.company_id)
        # The email is retried until it is delivered, even if the mail server is unreachable for days.
        email = operator_email(uuid4(), inquiry_id, inquiry, settings.operator_email)
        await add_email(connection, email, company_id=None, keep_retrying=True)
    return inquiry_id
