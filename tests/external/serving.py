"""A server of somebody else's, on a real port."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette

from tests.external.client_page import OwnPage
from tests.external.openid import OpenIdElsewhere


@asynccontextmanager
async def openid_elsewhere() -> AsyncIterator[OpenIdElsewhere]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        issuer = f"http://127.0.0.1:{listener.getsockname()[1]}"
        provider = OpenIdElsewhere(issuer)
        async with served(Starlette(routes=provider.routes()), listener):
            yield provider


@asynccontextmanager
async def own_page() -> AsyncIterator[tuple[OwnPage, str]]:
    """The page and its address, by name: browsers bind passkeys to names."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        page = OwnPage()
        async with served(Starlette(routes=page.routes()), listener):
            yield page, f"http://localhost:{listener.getsockname()[1]}"


@asynccontextmanager
async def served(app: Starlette, listener: socket.socket) -> AsyncIterator[None]:
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
    running = asyncio.create_task(server.serve([listener]))
    try:
        yield
    finally:
        server.should_exit = True
        await running
