from datetime import timedelta

from cairn.auth import store
from cairn.auth.settings import AuthSettings
from cairn.db import SERVICE, Database

# A link is still told from one that never was for a while after it ran out.
GRACE = timedelta(days=1)


async def sweep(database: Database, settings: AuthSettings) -> None:
    """Removes what nobody can use any more; run by the worker now and then."""
    async with database.acting_as(SERVICE) as conn:
        await store.sweep(conn, max(settings.mailer_otp_exp, settings.sms_otp_exp) + GRACE)
