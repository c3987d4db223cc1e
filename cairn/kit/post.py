"""Posting to an endpoint that was checked: to that very address, under its own name, and no further."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import certifi
import httpx

from cairn.kit.endpoint import Endpoint

# An answer is a word or two; nobody makes us read a film.
_LONGEST_ANSWER = 64 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes
    """Empty when there was more than anybody needs."""

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
) -> Answer:
    """Raises httpx.HTTPError or TimeoutError. Leading elsewhere by now changes nothing: the name is not asked again."""
    asked = httpx.URL(endpoint.url)
    # Redirects are not followed and no proxy is asked: both would lead to an address nobody has checked.
    async with (
        asyncio.timeout(whole_seconds),
        httpx.AsyncClient(verify=trusting, trust_env=False, timeout=step_seconds) as client,
        client.stream(
            "POST",
            asked.copy_with(host=endpoint.address),
            content=body,
            headers={**headers, "Host": asked.netloc.decode(), "Accept-Encoding": "identity"},
            extensions={"sni_hostname": endpoint.host},
        ) as answer,
    ):
        return Answer(answer.status_code, await _start(answer.aiter_raw()))


async def _start(pieces: AsyncIterator[bytes]) -> bytes:
    read = b""
    async for piece in pieces:
        read += piece
        if len(read) > _LONGEST_ANSWER:
            return b""
    return read


def trust(authorities: Path | None = None) -> ssl.SSLContext:
    """The usual authorities, those the operator's machine trusts besides, and those in a file of the operator's."""
    context = ssl.create_default_context(cafile=certifi.where())
    context.load_default_certs()
    if authorities is not None:
        context.load_verify_locations(cafile=authorities)
    return context
