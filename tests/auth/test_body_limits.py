"""17A1, 17A3: a body that the server does not need is refused before it is read. A form has a limited number of fields.

17A1, 17A3 and B7 are findings in docs/security.md.
"""

from collections.abc import AsyncIterator

from tests.auth.conftest import VisitorWith
from tests.auth.visitor import API_VERSION_HEADER, Visitor, error_of

CHUNK_BYTES = 50_000
# The chunks have 900,000 bytes together, which only callers with the service key may send.
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


async def test_b7_a_form_of_an_identity_provider_with_too_many_fields_is_refused(
    visitor_with_google_and_saml: Visitor,
) -> None:
    headers = {**API_VERSION_HEADER, "Content-Type": "application/x-www-form-urlencoded"}

    response = await visitor_with_google_and_saml.client.post(
        "/sso/saml/acs", content=b"a=b&" * 249_000, headers=headers
    )

    assert response.status_code == 413, response.text[:200]


async def test_17a1_only_callers_with_the_service_key_send_large_bodies(visitor: Visitor) -> None:
    body, body_of_service = CountedBody(b" " * CHUNK_BYTES), CountedBody(b" " * CHUNK_BYTES)
    service = {"Authorization": f"Bearer {visitor.service_key}"}

    refused = await visitor.client.post("/signup", content=body.chunks())
    accepted = await visitor.client.post("/signup", content=body_of_service.chunks(), headers=service)

    assert (refused.status_code, body.read_count) == (413, 3)
    assert (accepted.status_code, body_of_service.read_count) == (400, CHUNK_COUNT), "spaces alone are no JSON"
