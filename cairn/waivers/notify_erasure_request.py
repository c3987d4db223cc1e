"""Notifies a company that a guest wants the waivers that they have signed to be erased.

Neither the notification nor the email names the guest, so that nothing has to be erased in them later.
"""

from datetime import timedelta
from uuid import UUID, uuid5

from cairn.accounts import confirmed_people
from cairn.db import SERVICE, Database
from cairn.limits import Limit, take
from cairn.messaging import Email, add_email, add_notification, email_body, greeting
from cairn.translations import text

TITLE = text("Request to erase waivers")
_REQUEST = text(
    "A guest asks you to erase the waivers that they signed for you. You decide. If you have to keep the waivers,"
    " please tell them why. In many countries the law gives you a month to answer."
)
# A stranger with many addresses must not fill the mailboxes of the company. Its profile page lists every request.
_MAX_EMAILS_PER_DAY = 10


async def notify_erasure_request(database: Database, request_id: UUID, company_id: UUID, site_url: str) -> None:
    async with database.acting_as(SERVICE) as connection:
        is_new = await add_notification(
            connection, company_id=company_id, about=request_id, title=str(TITLE),
            message=str(text("A guest asks you to erase the waivers that they have signed.")),
            data={"erasure_request_id": str(request_id)},
        )  # fmt: skip
        if not is_new:
            return
        limit = Limit(f"emails about erasure requests to {company_id}", _MAX_EMAILS_PER_DAY, timedelta(days=1))
        if await take(connection, limit) is not None:
            return
        for person in await confirmed_people(connection, company_id):
            email = Email(
                id=uuid5(request_id, f"erasure request for {person.id}"),
                recipient=person.email,
                subject=str(TITLE),
                body=email_body(greeting(person.name), str(_REQUEST), f"{site_url}/dashboard/profile#records"),
                action=str(text("See the request")),
            )
            await add_email(connection, email, company_id=None, keep_retrying=True)
