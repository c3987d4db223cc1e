"""Receives the reports of mail providers about bounces and complaints."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from math import ceil
from typing import TypeAlias
from uuid import UUID

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cairn.db import SERVICE, Database, DatabaseBusy, DatabaseUnreachable
from cairn.kit import DecryptionFailed, FairTurns, Problem, SecretBox, now, read_body
from cairn.limits import MemoryLimiter, larger_network_of, network_of
from cairn.messaging.errors import ReportProviderUnknown, ReportUnsigned, TooManyReports
from cairn.messaging.suppression import store
from cairn.messaging.suppression.record_reports import record_reports
from cairn.messaging.suppression.report import MailReport
from cairn.messaging.suppression.report_keys import ReportProvider
from cairn.messaging.suppression.resend import read_resend_reports
from cairn.messaging.suppression.sendgrid import read_sendgrid_reports
from cairn.messaging.suppression.settings import ReportSettings

log = logging.getLogger(__name__)
REPORT_PATH = "/mail-reports"
# SendGrid combines many events into one request.
_MAX_BODY_BYTES = 1_000_000
# Resend sends each event in a request of its own, so a company with 1,000 invitations an hour causes a few thousand.
_REQUESTS_PER_NETWORK = 3000
_WINDOW = timedelta(minutes=10)
_WAIT_SECONDS = 5.0

_Reader: TypeAlias = Callable[[Mapping[str, str], bytes, str, datetime], list[MailReport]]
_READERS: dict[ReportProvider, _Reader] = {"resend": read_resend_reports, "sendgrid": read_sendgrid_reports}


def report_service(database: Database, settings: ReportSettings, secret_box: SecretBox) -> Starlette:
    """Returns the service for `REPORT_PATH`. `secret_box` decrypts the keys of companies."""
    limiter = MemoryLimiter(_REQUESTS_PER_NETWORK, _WINDOW)
    # A company can sign reports of any length, so most database connections are left to others.
    turns = FairTurns(running=4, running_per_key=2, waiting=200, waiting_per_key=50, wait_seconds=_WAIT_SECONDS)

    async def receive(request: Request) -> Response:
        ip = request.client.host if request.client else None
        wait_seconds = limiter.take(network_of(ip))
        if wait_seconds is not None:
            return _refusal(TooManyReports(), {"Retry-After": str(ceil(wait_seconds))})
        company_id: UUID | None = request.path_params.get("company_id")
        try:
            provider = _provider(request.path_params["provider"])
            body = bytes(await read_body(request.receive, max_bytes=_MAX_BODY_BYTES, sender=larger_network_of(ip)))
            async with turns.turn(larger_network_of(ip)):
                recorded = await read_and_record(provider, company_id, request.headers, body)
        except ClientDisconnect:
            return Response(status_code=400)
        except Problem as problem:
            log.warning("refused a report about emails: %s", problem.code)
            return _refusal(problem)
        return JSONResponse({"recorded": recorded})

    async def read_and_record(
        provider: ReportProvider, company_id: UUID | None, headers: Mapping[str, str], body: bytes
    ) -> int:
        """Reads the report in a thread, because it may contain thousands of events."""
        key = await find_key(provider, company_id)
        reports = await asyncio.to_thread(_READERS[provider], headers, body, key, now())
        async with database.acting_as(SERVICE) as connection:
            return await record_reports(connection, reports, provider, company_id)

    async def find_key(provider: ReportProvider, company_id: UUID | None) -> str:
        """Returns the key of the company, or that of the operator. Raises ReportUnsigned if there is none."""
        if company_id is None:
            key = settings.key_of(provider)
        else:
            async with database.acting_as(SERVICE, read_only=True) as connection:
                key = await store.sealed_report_key(connection, company_id, provider)
            try:
                key = None if key is None else secret_box.decrypt(key)
            except DecryptionFailed as error:
                raise ReportUnsigned from error
        if key is None:
            raise ReportUnsigned
        return key

    return Starlette(
        routes=[
            Route("/{provider}", receive, methods=["POST"]),
            Route("/{provider}/{company_id:uuid}", receive, methods=["POST"]),
        ],
        exception_handlers={DatabaseUnreachable: _unavailable, DatabaseBusy: _unavailable},
    )


def _provider(name: str) -> ReportProvider:
    for provider in _READERS:
        if provider == name:
            return provider
    raise ReportProviderUnknown


def _refusal(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    return JSONResponse({"code": problem.code, "message": str(problem)}, problem.status, headers)


async def _unavailable(_request: Request, problem: Exception) -> Response:
    """Responds with 503, after which the provider sends the event again later."""
    return JSONResponse({"code": getattr(problem, "code", ""), "message": str(problem)}, 503, {"Retry-After": "5"})
