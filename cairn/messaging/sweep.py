from cairn.db import Database, run_in_batches
from cairn.messaging.settings import MessagingSettings


async def sweep(database: Database, settings: MessagingSettings) -> None:
    """Deletes old messages and notifications. The worker runs this regularly."""
    for function, retention in (
        ("delete_old_emails", settings.email_retention),
        ("delete_old_sign_in_emails", settings.sign_in_message_retention),
        ("delete_old_codes", settings.sign_in_message_retention),
        ("delete_old_notifications", settings.notification_retention),
    ):
        await run_in_batches(database, f"select messaging.{function}($1, $2)", retention)
