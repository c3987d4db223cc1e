"""Taking a message: a row for us, and a letter to the operator."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from cairn.db import SERVICE, Database
from cairn.inquiries import store
from cairn.inquiries.email import letter
from cairn.inquiries.errors import TooManyInquiries
from cairn.inquiries.form import Inquiry
from cairn.inquiries.settings import InquirySettings
from cairn.messaging import add_email


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote, as far as we know."""

    network: str | None
    user_id: UUID | None = None
    company_id: UUID | None = None


async def receive(database: Database, inquiry: Inquiry, writer: Writer, settings: InquirySettings) -> UUID:
    async with database.acting_as(SERVICE) as connection:
        from_there, from_all = await store.in_the_last_hour(connection, writer.network, writer.user_id)
        if from_there >= settings.rate_limit or from_all >= settings.rate_limit_total:
            raise TooManyInquiries(where="your account" if writer.user_id else "your network")
        inquiry_id = await store.add_message(connection, inquiry, writer.network, writer.user_id, writer.company_id)
        # Patient: the writer has gone on, and the operator wants it however long the mail server is away.
        mail = letter(uuid4(), inquiry_id, inquiry, settings.operator_email)
        await add_email(connection, mail, company_id=None, patient=True)
    return inquiry_id
