"""A provider with which a company can try the product out. Nothing is delivered; emails stay in Email History."""

import asyncio

from cairn.messaging.email import Email, Receipt

# A slow provider takes this long. The delay lets the user see the waiting state of the page.
_DELAY_SECONDS = 2.0


class MockMailer:
    async def send(self, email: Email) -> Receipt:
        await asyncio.sleep(_DELAY_SECONDS)
        return Receipt("kept", f"mock-{email.id}")
