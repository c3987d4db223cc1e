"""Runs the local replacements of external servers on a real port."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from tests.external.client_page import ClientPage
from tests.external.openid import OpenIdProvider


@asynccontextmanager
async def running_openid_provider() -> AsyncIterator[OpenIdProvider]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        issuer = f"http://127.0.0.1:{listener.getsockname()[1]}"
        provider = OpenIdProvider(issuer)
        async with serve(Starlette(routes=provider.routes()), listener):
            yield provider


@asynccontextmanager
async def running_client_page() -> AsyncIterator[tuple[ClientPage, str]]:
    """Yields the page and its URL, which has a host name because passkeys do not work with an IP address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        page = ClientPage()
        async with serve(Starlette(routes=page.routes()), listener):
            yield page, f"http://localhost:{listener.getsockname()[1]}"


@asynccontextmanager
async def serve(app: Starlette, listener: socket.socket, certificate: Path | None = None) -> AsyncIterator[None]:
    """Serves the app, with HTTPS if there is a certificate. The file of the certificate also contains its key."""
    config = uvicorn.Config(
        app, log_config=None, lifespan="off", ssl_certfile=certificate, ssl_keyfile=certificate,
        timeout_graceful_shutdown=2,
    )  # fmt: skip
    server = uvicorn.Server(config)
    server_task = asyncio.create_task(server.serve([listener]))
    try:
        yield
    finally:
        server.should_exit = True
        await server_task
