"""Sends POST requests to exactly the IP address that was checked, without redirects or proxies."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from functools import cache
from pathlib import Path

import certifi
import httpx

from cairn.kit.dataclasses import frozen_dataclass
from cairn.kit.endpoint import Endpoint

# Real responses are short. A longer one is not worth the memory.
_MAX_RESPONSE_BYTES = 64 * 1024
_CONNECT_SHARE = 0.4


@frozen_dataclass
class PostResponse:
    status: int
    body: bytes
    """Empty when the body was longer than 64 KB."""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


async def post_to(
    endpoint: Endpoint,
    body: bytes,
    headers: Mapping[str, str],
    *,
    ssl_context: ssl.SSLContext,
    timeout_seconds: float,
) -> PostResponse:
    """Raises httpx.HTTPError or TimeoutError. DNS is not resolved again, so rebinding has no effect.

    The whole request may take `timeout_seconds`. The connection and the TLS handshake may each take 40% of that time,
    so that they end by themselves: a handshake that is cancelled would leave its socket open.
    """
    timeout = httpx.Timeout(timeout_seconds, connect=timeout_seconds * _CONNECT_SHARE)
    url = httpx.URL(endpoint.url)
    # httpx follows no redirects by default, and `trust_env=False` turns off proxies. Both would lead to an address that
    # was not checked.
    async with (
        asyncio.timeout(timeout_seconds),
        httpx.AsyncClient(verify=ssl_context, trust_env=False, timeout=timeout) as client,
        client.stream(
            "POST",
            url.copy_with(host=endpoint.address),
            content=body,
            headers={**headers, "Host": url.netloc.decode(), "Accept-Encoding": "identity"},
            extensions={"sni_hostname": endpoint.host},
        ) as response,
    ):
        return PostResponse(response.status_code, await _read_body(response.aiter_raw()))


async def _read_body(chunks: AsyncIterator[bytes]) -> bytes:
    body = b""
    async for chunk in chunks:
        body += chunk
        if len(body) > _MAX_RESPONSE_BYTES:
            return b""
    return body


@cache
def default_ssl_context() -> ssl.SSLContext:
    """Returns what httpx trusts by default. All clients share it, because reading the certificates blocks for 25 ms."""
    return httpx.create_ssl_context()


@cache
def create_ssl_context(extra_authorities: Path | None = None) -> ssl.SSLContext:
    """Trusts the public certificate authorities, those of the machine, and those in a file that the operator names.

    All clients share the context, because reading the certificates blocks for 25 ms.
    """
    context = ssl.create_default_context(cafile=certifi.where())
    context.load_default_certs()
    if extra_authorities is not None:
        context.load_verify_locations(cafile=extra_authorities)
    return context
