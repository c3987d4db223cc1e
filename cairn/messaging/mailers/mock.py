"""The provider for trying things out: nothing is delivered, and the mail stays in Email History."""

import asyncio

from cairn.messaging.email import Email, Receipt

# As long as a real one takes on a slow day, so that the waiting can be seen too.
_DELAY_SECONDS = 2.0


class MockMailer:
    async def send(self, email: Email) -> Receipt:
        await asyncio.sleep(_DELAY_SECONDS)
        return Receipt("kept", f"mock-{email.id}")
