"""17A3: a body that the server does not need is refused before it is read.

17A3 is a finding in docs/security.md.
"""

from collections.abc import AsyncIterator

from tests.auth.conftest import VisitorWith
from tests.auth.visitor import API_VERSION_HEADER, error_of

CHUNK_BYTES = 50_000
CHUNK_COUNT = 18


class CountedBody:
    """The body of a request. `read_count` is the number of chunks that the server has read."""

    def __init__(self, content: bytes) -> None:
        self.read_count = 0
        self._content = content

    async def chunks(self) -> AsyncIterator[bytes]:
        for _ in range(CHUNK_COUNT):
            self.read_count += 1
            yield self._content


async def test_17a3_without_saml_the_response_of_an_identity_provider_is_not_read(visitor_with: VisitorWith) -> None:
    body = CountedBody(b"%" * CHUNK_BYTES)
    async with visitor_with(saml=False) as visitor:
        response = await visitor.client.post("/sso/saml/acs", content=body.chunks(), headers=API_VERSION_HEADER)

    assert error_of(response) == (404, "saml_provider_disabled")
    assert body.read_count == 0
