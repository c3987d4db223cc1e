"""Posts to a checked endpoint: to exactly the IP address that was checked, without redirects or proxies."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import certifi
import httpx

from cairn.kit.endpoint import Endpoint

# Real responses are short; a longer one is not worth the memory.
_LONGEST_RESPONSE = 64 * 1024


@dataclass(frozen=True, slots=True)
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
    trusting: ssl.SSLContext,
    step_seconds: float,
    whole_seconds: float,
) -> PostResponse:
    """Raises httpx.HTTPError or TimeoutError. DNS is not resolved again, so rebinding has no effect."""
    url = httpx.URL(endpoint.url)
    # Neither redirects nor proxies: both would lead to an address that was not checked.
    async with (
        asyncio.timeout(whole_seconds),
        httpx.AsyncClient(verify=trusting, trust_env=False, timeout=step_seconds) as client,
        client.stream(
            "POST",
            url.copy_with(host=endpoint.address),
            content=body,
            headers={**headers, "Host": url.netloc.decode(), "Accept-Encoding": "identity"},
            extensions={"sni_hostname": endpoint.host},
        ) as response,
    ):
        return PostResponse(response.status_code, await _read_start(response.aiter_raw()))


async def _read_start(chunks: AsyncIterator[bytes]) -> bytes:
    read = b""
    async for chunk in chunks:
        read += chunk
        if len(read) > _LONGEST_RESPONSE:
            return b""
    return read


def trusted_authorities(extra: Path | None = None) -> ssl.SSLContext:
    """The public authorities, those that the machine trusts, and those in a file the operator names."""
    context = ssl.create_default_context(cafile=certifi.where())
    context.load_default_certs()
    if extra is not None:
        context.load_verify_locations(cafile=extra)
    return context
