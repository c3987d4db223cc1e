from datetime import timedelta

from cairn.auth import store
from cairn.auth.settings import AuthSettings
from cairn.db import Database, run_in_batches

# Expired links stay in the table for a while, so that an operator can tell them from links that never existed.
EXPIRED_LINK_RETENTION = timedelta(days=1)
REPLACED_TOKEN_RETENTION = timedelta(days=30)


async def sweep(database: Database, settings: AuthSettings) -> None:
    """Deletes expired rows. The worker runs this regularly."""
    await run_in_batches(database, store.DELETE_PASSWORD_TRIES, store.COUNT_RETENTION)
    link_retention = max(settings.mailer_otp_exp, settings.sms_otp_exp) + EXPIRED_LINK_RETENTION
    for delete_expired in store.DELETE_EXPIRED:
        await run_in_batches(database, delete_expired, link_retention)
    await run_in_batches(database, store.DELETE_IDLE_SESSIONS, settings.idle_session_retention)
    await run_in_batches(database, store.DELETE_REPLACED_TOKENS, REPLACED_TOKEN_RETENTION)
    await run_in_batches(database, "select auth.delete_old_log_entries($1, $2)", settings.log_retention)
