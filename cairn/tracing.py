"""Sends traces to an OpenTelemetry collector and errors to Sentry. Both are off unless an address is set.

Their libraries are imported only if they are on, because they need time and memory. What is sent contains no personal
data: spans have names and numbers from our own code, and the texts of errors follow the rules of the log.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, SecretStr, field_validator
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cairn import __version__
from cairn.kit import current_request_id, record_spans_with
from cairn.logs import without_personal_data
from cairn.metrics import service_of

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer
    from sentry_sdk.types import Event, Hint

Program = Literal["server", "worker"]

# After the program has stopped, what was recorded last has this long to be sent.
_FLUSH_SECONDS = 5.0
_EXAMPLE_ENDPOINT = "http://collector:4318/v1/traces"
_HEADER = re.compile(r"[A-Za-z0-9-]+: [!-~]([ -~]*[!-~])?")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# The parts of an event that reach Sentry. The others, such as the user, the request and breadcrumbs, may be personal.
_SENT_PARTS = frozenset(
    {
        "event_id", "timestamp", "level", "logger", "logentry", "exception", "platform", "release", "sdk", "tags",
        "environment", "_meta",
    }
)  # fmt: skip


class TracingSettings(BaseModel, frozen=True, hide_input_in_errors=True):
    # The URL of a collector that speaks OTLP over HTTP, with its path: http://collector:4318/v1/traces.
    otlp_endpoint: str | None = None
    # A header of the requests to the collector, for example `Authorization: Bearer …`.
    otlp_header: SecretStr | None = None
    # The share of requests and jobs that are traced.
    sample_ratio: float = Field(default=1.0, ge=0, le=1)
    sentry_dsn: SecretStr | None = None

    @field_validator("otlp_endpoint")
    @classmethod
    def _check_endpoint(cls, endpoint: str | None) -> str | None:
        parts = urlsplit(endpoint or _EXAMPLE_ENDPOINT)
        if parts.scheme not in ("http", "https") or not parts.hostname or not parts.path:
            raise ValueError(f"must be a URL such as {_EXAMPLE_ENDPOINT}")
        return endpoint

    @field_validator("otlp_header")
    @classmethod
    def _check_header(cls, header: SecretStr | None) -> SecretStr | None:
        if header is not None and not _HEADER.fullmatch(header.get_secret_value()):
            raise ValueError("must be a name and a value, such as Authorization: Bearer 123")
        return header

    @field_validator("sentry_dsn")
    @classmethod
    def _check_dsn(cls, dsn: SecretStr | None) -> SecretStr | None:
        if dsn is None:
            return None
        from sentry_sdk.utils import BadDsn, Dsn  # noqa: PLC0415 - see above

        try:
            Dsn(dsn.get_secret_value())
        except BadDsn as error:
            raise ValueError("must be like https://key@sentry.example.com/1") from error
        return dsn

    @property
    def headers(self) -> dict[str, str]:
        if self.otlp_header is None:
            return {}
        name, _, value = self.otlp_header.get_secret_value().partition(": ")
        return {name: value}


@asynccontextmanager
async def tracing(settings: TracingSettings, program: Program) -> AsyncIterator["Tracer | None"]:
    """Sends traces and errors until the end of this context. Yields None if there is no collector."""
    async with AsyncExitStack() as running:
        if settings.sentry_dsn is not None:
            running.enter_context(_reporting_errors(settings.sentry_dsn.get_secret_value(), program))
        if settings.otlp_endpoint is None:
            yield None
            return
        yield await running.enter_async_context(_sending_spans(settings, settings.otlp_endpoint, program))


@asynccontextmanager
async def _sending_spans(settings: TracingSettings, endpoint: str, program: Program) -> AsyncIterator["Tracer"]:
    from opentelemetry.exporter.otlp.proto.http import Compression  # noqa: PLC0415 - see above
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - see above
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - see above
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - see above
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - see above
    from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio  # noqa: PLC0415 - see above

    # The exporter sends from a thread of its own. If the collector cannot be reached, spans are dropped.
    exporter = OTLPSpanExporter(
        endpoint, headers=settings.headers, timeout=_FLUSH_SECONDS, compression=Compression.Gzip
    )
    provider = TracerProvider(
        sampler=ParentBasedTraceIdRatio(settings.sample_ratio),
        resource=Resource.create({"service.name": f"cairn-{program}", "service.version": __version__}),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    tracer = provider.get_tracer("cairn", __version__)
    record_spans_with(lambda name: _span(tracer, name))
    try:
        yield tracer
    finally:
        record_spans_with(None)
        stopped = asyncio.create_task(asyncio.to_thread(provider.shutdown))
        await asyncio.wait({stopped}, timeout=_FLUSH_SECONDS)
        # Ends the attempts to reach a collector that does not respond. Without it, they would go on for half a minute.
        if not stopped.done():
            await asyncio.to_thread(exporter.shutdown)
        await stopped


@contextmanager
def _span(tracer: "Tracer", name: str) -> Iterator[None]:
    from opentelemetry.trace import StatusCode  # noqa: PLC0415 - see above

    # The library would add the text of an error, which may quote personal data.
    with tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as span:
        try:
            yield
        except BaseException as error:
            span.set_status(StatusCode.ERROR, type(error).__name__)
            raise


@contextmanager
def _reporting_errors(dsn: str, program: Program) -> Iterator[None]:
    import sentry_sdk  # noqa: PLC0415 - see above
    from sentry_sdk.integrations.logging import LoggingIntegration  # noqa: PLC0415 - see above

    def prepare(event: "Event", _hint: "Hint") -> "Event":
        sent: dict[str, Any] = {name: value for name, value in event.items() if name in _SENT_PARTS}
        request_id = current_request_id()
        sent["tags"] = {"program": program, **({"request_id": request_id} if request_id else {})}
        scrubbed: Event = _scrubbed(sent)
        return scrubbed

    sentry_sdk.init(
        dsn,
        release=f"cairn@{__version__}",
        # Only errors in the log are sent. Other integrations would also send requests, variables and host names.
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[LoggingIntegration(level=None, event_level=logging.ERROR, sentry_logs_level=None)],
        send_default_pii=False,
        include_local_variables=False,
        max_breadcrumbs=0,
        auto_session_tracking=False,
        before_send=prepare,
    )
    try:
        yield
    finally:
        sentry_sdk.get_client().close(timeout=_FLUSH_SECONDS)


def _scrubbed(value: Any) -> Any:
    """Applies the rules of the log to all texts of an event."""
    if isinstance(value, str):
        return without_personal_data(value)
    if isinstance(value, Mapping):
        return {name: _scrubbed(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_scrubbed(part) for part in value]
    return value


class TracedApp:
    """Wraps the whole application. Websockets are not traced, because they stay open.

    A trace that a client has begun is not continued, because clients are strangers. Paths and addresses are left out:
    they may contain the secret of a link or the name of a file.
    """

    def __init__(self, app: ASGIApp, tracer: "Tracer") -> None:
        self._app = app
        self._tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        from opentelemetry.trace import SpanKind, StatusCode  # noqa: PLC0415 - see above

        method = scope["method"] if scope["method"] in _METHODS else "_OTHER"
        service = service_of(scope["path"])
        status = 500

        async def send_and_note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with self._tracer.start_as_current_span(
            f"{method} {service}", kind=SpanKind.SERVER, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                await self._app(scope, receive, send_and_note_status)
            finally:
                span.set_attributes(
                    {
                        "http.request.method": method,
                        "http.response.status_code": status,
                        "cairn.service": service,
                        "cairn.request_id": current_request_id(),
                    }
                )
                if status >= 500:
                    span.set_status(StatusCode.ERROR)
