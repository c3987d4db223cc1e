"""An endpoint of a company that accepts connections and never responds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class SilentEndpoint(asyncio.BaseProtocol):
    """All connections share this protocol, which ignores everything that it receives."""

    def __init__(self) -> None:
        self.url = ""
        self.connections: list[asyncio.BaseTransport] = []
        """All connections since the start, including those that the client has closed."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.connections.append(transport)

    def data_received(self, _data: bytes) -> None: ...

    def eof_received(self) -> None: ...

    async def wait_for_connections(self, count: int) -> None:
        async with asyncio.timeout(20):
            while len(self.connections) < count:  # noqa: ASYNC110 - the server changes it
                await asyncio.sleep(0.02)


@asynccontextmanager
async def silent_endpoint() -> AsyncIterator[SilentEndpoint]:
    endpoint = SilentEndpoint()
    server = await asyncio.get_running_loop().create_server(lambda: endpoint, "127.0.0.1", 0)
    endpoint.url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/silent"
    try:
        yield endpoint
    finally:
        server.close()
        for connection in endpoint.connections:
            connection.close()
