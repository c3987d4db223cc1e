"""Saves a company's choice of mail provider."""

from datetime import timedelta
from uuid import UUID

from cairn.db import SERVICE, Database
from cairn.jobs import end_pause
from cairn.kit import EndpointNotAllowed, SecretBox, check_entered_endpoint, valid_address
from cairn.limits import Limit, take_now
from cairn.messaging import configuration_store
from cairn.messaging.configuration import PROVIDERS_WITH_KEY, Provider
from cairn.messaging.errors import ConfigurationInvalid
from cairn.messaging.queues import ENDPOINTS_QUEUE
from cairn.messaging.settings import MessagingSettings
from cairn.messaging.suppression import ReportProvider, check_report_key

# Each check looks a name up in DNS.
_MAX_CHECKS_PER_HOUR = 30


async def save_configuration(
    database: Database,
    secret_box: SecretBox,
    settings: MessagingSettings,
    company_id: UUID,
    provider: Provider,
    *,
    api_key: str,
    custom_endpoint: str,
    sender_email: str,
    report_key: str,
) -> None:
    """If a key is empty, the stored key is kept. Settings that only another provider needs are deleted.

    `report_key` verifies the provider's reports about bounces and complaints.
    """
    if provider == "custom":
        await _check_endpoint_url(database, company_id, custom_endpoint, settings)
    uses_key = provider in PROVIDERS_WITH_KEY
    sender = _normalized_address(sender_email) if uses_key and sender_email else None
    if report_key and provider in ("resend", "sendgrid"):
        _check_report_key(provider, report_key)
    async with database.acting_as(SERVICE) as connection:
        saved = await configuration_store.save_configuration(
            connection,
            company_id,
            provider,
            sealed_key=secret_box.encrypt(api_key) if uses_key and api_key else None,
            sealed_report_key=secret_box.encrypt(report_key) if uses_key and report_key else None,
            custom_endpoint=custom_endpoint if provider == "custom" else None,
            sender_email=sender,
        )
        # Emails that wait because the previous endpoint did not respond are tried again.
        await end_pause(connection, ENDPOINTS_QUEUE, company_id)
    if not saved:
        raise ConfigurationInvalid(field="apiKey", reason="An API key is required.")


async def _check_endpoint_url(database: Database, company_id: UUID, url: str, settings: MessagingSettings) -> None:
    if not url:
        raise ConfigurationInvalid(field="customEndpoint", reason="An endpoint URL is required.")
    checks = Limit(f"mail endpoints of company {company_id}", _MAX_CHECKS_PER_HOUR, timedelta(hours=1))
    if await take_now(database, checks) is not None:
        raise ConfigurationInvalid(
            field="customEndpoint",
            reason=f"You have saved an endpoint {_MAX_CHECKS_PER_HOUR} times within an hour. Please wait a little.",
        )
    try:
        await check_entered_endpoint(url, settings.endpoint_networks)
    except EndpointNotAllowed as refused:
        raise ConfigurationInvalid(field="customEndpoint", reason=str(refused)) from refused


def _check_report_key(provider: ReportProvider, key: str) -> None:
    try:
        check_report_key(provider, key)
    except ValueError as error:
        raise ConfigurationInvalid(field="reportKey", reason=str(error)) from error


def _normalized_address(address: str) -> str:
    try:
        return valid_address(address)
    except ValueError as error:
        raise ConfigurationInvalid(field="senderEmail", reason=str(error)) from error
