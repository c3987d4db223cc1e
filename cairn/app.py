"""Builds the web application: all services and all pages under one origin."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from starlette.types import ASGIApp

from cairn import auth, billing, functions, messaging, realtime, rest, storage, waivers
from cairn.db import Connection, Database
from cairn.health import HEALTH_PATH, Health
from cairn.jobs import OutboxNotifier
from cairn.kit import Cors, HttpsOnly, QuietDisconnects, RequestIds, SecurityHeaders, ServiceRouter
from cairn.metrics import MeasuredApp, serving_metrics
from cairn.open_services import open_billing, open_documents, open_webhook_sender
from cairn.settings import Settings
from cairn.shutdown import Shutdown
from cairn.site import Site
from cairn.tracing import TracedApp, tracing


@asynccontextmanager
async def running_app(settings: Settings, login_url: str, shutdown: Shutdown | None = None) -> AsyncIterator[ASGIApp]:
    """Opens the connections that the application needs, and closes them at the end."""
    shutdown = shutdown or Shutdown()
    keyring = auth.Keyring(settings.auth)
    async with (
        tracing(settings.tracing, "server") as tracer,
        Database(
            login_url,
            pooler_url=settings.database.pooler_url,
            pool_size=settings.database.pool_size,
            extra_connections=settings.database.extra_connections,
        ) as database,
        serving_metrics(settings.metrics.host, settings.metrics.port, database) as metrics,
        OutboxNotifier(login_url) as notifier,
        realtime.Realtime(
            database, notifier=notifier, principal_of=keyring.principal, settings=settings.realtime
        ) as realtime_service,
        rest.service(
            database, principal_of=keyring.principal, settings=settings.rest, after_write=notifier.notify
        ) as rest_service,
    ):
        shutdown.before_closing(realtime_service.prepare_to_stop)

        def with_api_key(service: ASGIApp) -> ASGIApp:
            return Cors(auth.ApiKeyGate(service, keyring, required=settings.auth.api_key_required))

        blob_store = storage.open_blob_store(settings.storage, settings.data / "storage")
        storage_service = storage.service(
            database,
            blob_store,
            principal_of=keyring.principal,
            settings=settings.storage,
            jwt_secret=settings.auth.jwt_secret.get_secret_value(),
        )
        text_sender = TextSender() if settings.messaging.offers_texts else None
        auth_service = auth.service(
            database,
            keyring,
            settings.auth,
            after_write=notifier.notify,
            text_sender=text_sender,
            sends_email=settings.messaging.smtp is not None,
        )
        blobs = storage.ObjectStorage(database, blob_store, settings.storage)
        documents = open_documents(settings, blobs)
        await waivers.save_own_certificates(database, documents)
        documents.rendering.warm_up()
        push_sender = messaging.PushSender(settings.push, settings.messaging.sender)
        provider_key_box = messaging.provider_key_box(settings.sealing_secret, settings.auth.retired_sealing_values)
        billing_context = open_billing(settings, database)
        webhook_sender = open_webhook_sender(settings, database)
        functions_context = functions.FunctionsContext(
            database,
            notifier,
            documents,
            settings.messaging,
            provider_key_box,
            push_sender.public_key,
            billing_context,
            settings.inquiries,
            webhook_sender,
            settings.deletion,
        )
        functions_service = functions.service(functions_context, principal_of=keyring.principal)
        site = Site(
            database,
            anon_key=keyring.anon_key,
            site_url=settings.auth.site_url,
            inquiries=settings.inquiries,
            after_write=notifier.notify,
        )
        services: dict[str, ASGIApp] = {
            "/auth/v1": with_api_key(auth_service),
            "/rest/v1": with_api_key(rest_service),
            "/realtime/v1": with_api_key(realtime_service.app),
            "/storage/v1": with_api_key(storage_service),
            "/functions/v1": with_api_key(functions_service),
            "/billing": billing.service(billing_context, notifier.notify),
            messaging.REPORT_PATH: messaging.report_service(database, settings.messaging.reports, provider_key_box),
            waivers.STOP_PATH: waivers.stop_page(database),
            waivers.DOCUMENT_LINK_PATH: waivers.document_link_page(database, documents),
            HEALTH_PATH: Health(database, blob_store, shutdown),
        }
        router = ServiceRouter(services, fallback=site, websockets="/realtime/v1")
        site_url = settings.auth.site_url
        try:
            secured = SecurityHeaders(HttpsOnly(router, site_url=site_url), site_url=site_url)
            app = RequestIds(QuietDisconnects(secured))
            traced = app if tracer is None else TracedApp(app, tracer)
            yield traced if metrics is None else MeasuredApp(traced, metrics.requests)
        finally:
            await documents.close()


class TextSender:
    """Requests the text messages for signing in. Like emails, they are rows, and the worker sends them."""

    async def send(self, conn: Connection, phone: str, text: str) -> None:
        await messaging.add_text_message(conn, uuid4(), phone, text)
