"""Opens what the server and the worker both need, with the settings of this installation."""

from cairn import billing, integrations
from cairn.db import Database
from cairn.settings import Settings
from cairn.storage import ObjectStorage
from cairn.waivers import DocumentContext
from cairn.waivers import open_documents as open_with


def open_documents(settings: Settings, blobs: ObjectStorage) -> DocumentContext:
    return open_with(
        blobs,
        settings.data,
        settings.auth.site_url,
        settings.messaging,
        settings.documents,
        certificate_secret=settings.certificate_secret,
    )


def open_billing(settings: Settings, database: Database) -> billing.BillingContext:
    return billing.open_billing(
        database, settings.billing, secret=settings.sealing_secret, site_url=settings.auth.site_url
    )


def open_webhook_sender(settings: Settings, database: Database) -> integrations.WebhookSender:
    return integrations.open_webhook_sender(
        database,
        settings.integrations,
        secret=settings.sealing_secret,
        retired_secrets=settings.auth.retired_sealing_values,
        site_url=settings.auth.site_url,
    )
