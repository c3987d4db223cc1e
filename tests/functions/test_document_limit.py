"""M7, D5: at most sixty documents a minute are read or rendered for one network.

M7 and D5 are findings in docs/security.md.
"""

import asyncio

import httpx
import pytest

from tests.factories import SAMPLE_TEMPLATE_ID
from tests.functions.test_documents import call

NOT_A_PDF = b"%PDF-1.7 nothing"
WAIVER_ID = "254ee2e0-f4d3-402b-8297-3a27ca62af27"
LIMITED_CALLS = [
    ("verify-document", NOT_A_PDF),
    ("waiver-form", {"template_id": SAMPLE_TEMPLATE_ID}),
    ("evidence-pack", {"waiver_id": WAIVER_ID}),
]


@pytest.mark.parametrize(("name", "body"), LIMITED_CALLS)
async def test_m7_the_sixty_first_document_within_a_minute_is_refused(
    client: httpx.AsyncClient, name: str, body: object
) -> None:
    """All calls start together, because the limiter allows another document every second."""
    first_calls = (call(client, "rosa", "verify-document", NOT_A_PDF) for _ in range(60))
    *first_responses, response = await asyncio.gather(*first_calls, call(client, "rosa", name, body))

    # Only five calls of one network may wait for their turn. The server refuses the others with 503.
    assert {first.status_code for first in first_responses} == {200, 503}
    assert (response.status_code, response.json()["code"]) == (429, "too_many_documents")
    assert response.json()["error"].startswith("Your network has requested or verified many documents within a minute.")
    assert int(response.headers["retry-after"]) >= 1


async def test_look_ups_of_printed_links_do_not_count_as_documents(client: httpx.AsyncClient) -> None:
    responses = [await call(client, "anon", "verify-document", {"waiver_id": WAIVER_ID}) for _ in range(70)]

    assert {response.json()["state"] for response in responses} == {"unknown"}
