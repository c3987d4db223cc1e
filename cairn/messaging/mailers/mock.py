"""A provider for trials: nothing is delivered, and the email stays in Email History."""

import asyncio

from cairn.messaging.email import Email, Receipt

# As long as a slow provider takes, so that the waiting state of the page can be seen.
_DELAY_SECONDS = 2.0


class MockMailer:
    async def send(self, email: Email) -> Receipt:
        await asyncio.sleep(_DELAY_SECONDS)
        return Receipt("kept", f"mock-{email.id}")
