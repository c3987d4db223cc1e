"""The SQL about through whom a company's mail goes."""

from uuid import UUID

from cairn.db import Connection
from cairn.kit import DecryptionFailed, SecretBox
from cairn.messaging.configuration import Configuration, ConfigurationSummary, Provider


async def configuration_summary(connection: Connection) -> ConfigurationSummary:
    """The caller's own, read with their rights; the default while nothing was saved."""
    row = await connection.fetchrow(
        """
        select provider, has_api_key, custom_endpoint, sender_email, failing_since, last_error
          from email_configurations
         where company_id = (select accounts.my_company())
        """
    )
    return ConfigurationSummary() if row is None else ConfigurationSummary(**row)


async def configuration(connection: Connection, secret_box: SecretBox, company_id: UUID | None) -> Configuration:
    """With the key, for the worker. Mail that is no company's goes through the server's own mailer."""
    row = await connection.fetchrow(
        """
        select provider, sealed_key, custom_endpoint, sender_email from messaging.configurations where company_id = $1
        """,
        company_id,
    )
    if row is None:
        return Configuration()
    key = _opened(secret_box, row["sealed_key"])
    return Configuration(row["provider"], key, row["custom_endpoint"], row["sender_email"])


def _opened(secret_box: SecretBox, sealed: str | None) -> str | None:
    try:
        return None if sealed is None else secret_box.decrypt(sealed)
    except DecryptionFailed:
        return None


async def save_configuration(
    connection: Connection,
    company_id: UUID,
    provider: Provider,
    *,
    sealed_key: str | None,
    custom_endpoint: str | None,
    sender_email: str | None,
) -> bool:
    """Without a new key the old one stays, if it is this provider's. False when there is none and one is needed."""
    saved: bool | None = await connection.fetchval(
        """
        insert into messaging.configurations as c (company_id, provider, sealed_key, custom_endpoint, sender_email)
        select $1, $2, coalesce($3, (select k.sealed_key from messaging.configurations k
                                      where k.company_id = $1 and k.provider = $2)), $4, $5
         where $2 not in ('sendgrid', 'resend') or $3 is not null
            or exists (select from messaging.configurations k
                        where k.company_id = $1 and k.provider = $2 and k.sealed_key is not null)
        on conflict (company_id) do update
           set provider = excluded.provider, sealed_key = excluded.sealed_key,
               custom_endpoint = excluded.custom_endpoint, sender_email = excluded.sender_email,
               failing_since = null, last_error = null, updated_at = now()
        returning true
        """,
        company_id, provider, sealed_key, custom_endpoint, sender_email,
    )  # fmt: skip
    return saved is True


async def note_failing(connection: Connection, company_id: UUID, reason: str) -> None:
    await connection.execute(
        """
        insert into messaging.configurations as c (company_id, failing_since, last_error)
        values ($1, now(), $2)
        on conflict (company_id) do update
           set failing_since = coalesce(c.failing_since, now()), last_error = excluded.last_error
        """,
        company_id, reason,
    )  # fmt: skip


async def note_working(connection: Connection, company_id: UUID) -> None:
    await connection.execute(
        """
        update messaging.configurations set failing_since = null, last_error = null
         where company_id = $1 and failing_since is not null
        """,
        company_id,
    )
