"""Creates the functions service for tests.

The access token of a person is simply their name. Real tokens are tested in tests/auth.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
from starlette.types import ASGIApp

from cairn.billing import BillingContext, BillingSettings, open_billing
from cairn.db import Database, Principal
from cairn.functions import FunctionsContext, service
from cairn.inquiries import InquirySettings
from cairn.integrations import IntegrationSettings, WebhookSender, open_webhook_sender
from cairn.jobs import OutboxNotifier
from cairn.kit import Problem
from cairn.messaging import MessagingSettings
from cairn.waivers import DocumentContext
from tests.running_worker import PROVIDER_KEY_BOX

PUSH_KEY = "a public push key"
_SECRET = "a secret that is only used in tests"


def make_functions_context(
    database: Database,
    notifier: OutboxNotifier,
    documents: DocumentContext,
    *,
    messaging: MessagingSettings | None = None,
    billing: BillingContext | None = None,
    webhook_sender: WebhookSender | None = None,
) -> FunctionsContext:
    site_url = documents.site_url
    return FunctionsContext(
        database,
        notifier,
        replace(documents, messaging=messaging or MessagingSettings()),
        messaging or MessagingSettings(),
        PROVIDER_KEY_BOX,
        PUSH_KEY,
        billing or open_billing(database, BillingSettings(), secret=_SECRET, site_url=site_url),
        InquirySettings(),
        webhook_sender or open_webhook_sender(database, IntegrationSettings(), secret=_SECRET, site_url=site_url),
    )


def functions_app(context: FunctionsContext, principals_by_token: Mapping[str, Principal]) -> ASGIApp:
    def principal_of(token: str) -> Principal:
        if token not in principals_by_token:
            raise Problem
        return principals_by_token[token]

    return service(context, principal_of=principal_of)


@asynccontextmanager
async def functions_client(
    context: FunctionsContext, principals_by_token: Mapping[str, Principal]
) -> AsyncIterator[httpx.AsyncClient]:
    """Calls the functions in this process, without a network."""
    transport = httpx.ASGITransport(functions_app(context, principals_by_token))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn") as client:
        yield client
