"""Telling the company that a waiver was signed."""

from uuid import UUID

from cairn.db import SERVICE, Database
from cairn.messaging import add_notification
from cairn.waivers import store

TITLE = "New Waiver Signed"
MESSAGE = "{signer_name} has signed a waiver: {template_name}"


async def tell_company(database: Database, waiver_id: UUID) -> None:
    """A waiver on a bare sample belongs to nobody, so there is nobody to tell."""
    async with database.acting_as(SERVICE) as connection:
        waiver = await store.signed_waiver(connection, waiver_id)
        if waiver.company_id is None:
            return
        await add_notification(
            connection,
            company_id=waiver.company_id,
            about=waiver.id,
            title=TITLE,
            message=MESSAGE.format(signer_name=waiver.signer_name, template_name=waiver.template_name),
            data={"waiver_id": str(waiver.id), "session_id": str(waiver.session_id)},
        )
