"""SQL for the mail providers of companies."""

from datetime import timedelta
from uuid import UUID

from cairn.db import Connection
from cairn.kit import DecryptionFailed, SecretBox
from cairn.messaging.configuration import Configuration, ConfigurationSummary, Provider


async def configuration_summary(connection: Connection) -> ConfigurationSummary:
    """Returns the configuration of the caller's company, or the default. It is read with the caller's permissions."""
    row = await connection.fetchrow(
        """
        select provider, has_api_key, custom_endpoint, sender_email, failing_since, last_error, has_report_key
          from email_configurations
         where company_id = (select accounts.my_company())
        """
    )
    return ConfigurationSummary() if row is None else ConfigurationSummary(**row)


async def load_configuration(connection: Connection, secret_box: SecretBox, company_id: UUID | None) -> Configuration:
    """Returns the configuration with the decrypted key, or the default. Emails without a company use the default."""
    row = await connection.fetchrow(
        """
        select provider, sealed_key, custom_endpoint, sender_email from messaging.configurations where company_id = $1
        """,
        company_id,
    )
    if row is None:
        return Configuration()
    api_key = _decrypt(secret_box, row["sealed_key"])
    return Configuration(row["provider"], api_key, row["custom_endpoint"], row["sender_email"])


def _decrypt(secret_box: SecretBox, sealed_key: str | None) -> str | None:
    try:
        return None if sealed_key is None else secret_box.decrypt(sealed_key)
    except DecryptionFailed:
        return None


async def save_configuration(
    connection: Connection,
    company_id: UUID,
    provider: Provider,
    *,
    sealed_key: str | None,
    sealed_report_key: str | None,
    custom_endpoint: str | None,
    sender_email: str | None,
) -> bool:
    """Saves the provider. If no new API key or report key is given, the stored key of this provider is kept.

    Returns False if the provider needs a key and there is none.
    """
    saved: bool | None = await connection.fetchval(
        """
        insert into messaging.configurations as c
               (company_id, provider, sealed_key, custom_endpoint, sender_email, sealed_report_key)
        select $1, $2, coalesce($3, (select k.sealed_key from messaging.configurations k
                                      where k.company_id = $1 and k.provider = $2)), $4, $5,
               coalesce($6, (select k.sealed_report_key from messaging.configurations k
                              where k.company_id = $1 and k.provider = $2))
         where $2 not in ('sendgrid', 'resend') or $3 is not null
            or exists (select from messaging.configurations k
                        where k.company_id = $1 and k.provider = $2 and k.sealed_key is not null)
        on conflict (company_id) do update
           set provider = excluded.provider, sealed_key = excluded.sealed_key,
               custom_endpoint = excluded.custom_endpoint, sender_email = excluded.sender_email,
               sealed_report_key = excluded.sealed_report_key,
               failing_since = null, last_error = null, updated_at = now()
        returning true
        """,
        company_id, provider, sealed_key, custom_endpoint, sender_email, sealed_report_key,
    )  # fmt: skip
    return saved is True


async def record_failing(connection: Connection, company_id: UUID, reason: str) -> timedelta:
    """Records that sending failed. Returns for how long it has been failing."""
    failing_for: timedelta = await connection.fetchval(
        """
        insert into messaging.configurations as c (company_id, failing_since, last_error)
        values ($1, now(), $2)
        on conflict (company_id) do update
           set failing_since = coalesce(c.failing_since, now()), last_error = excluded.last_error
        returning now() - c.failing_since
        """,
        company_id, reason,
    )  # fmt: skip
    return failing_for


async def record_working(connection: Connection, company_id: UUID) -> bool:
    """Records that sending succeeded. Returns True if it had failed before."""
    had_failed: bool | None = await connection.fetchval(
        """
        update messaging.configurations set failing_since = null, last_error = null
         where company_id = $1 and failing_since is not null
        returning true
        """,
        company_id,
    )
    return had_failed is True
