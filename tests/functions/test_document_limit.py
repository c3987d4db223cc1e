"""M7, D5, 17B6: at most sixty documents a minute are read or rendered for one network.

M7, D5 and 17B6 are findings in docs/security.md.
"""

import asyncio

import httpx
import pytest

from cairn.db import ANON
from cairn.functions import FunctionsContext
from cairn.functions.call import Call
from cairn.functions.gateway import Function
from cairn.functions.verify_document import verify_document
from cairn.functions.waiver_form import waiver_form
from cairn.kit import Problem, TooBusy
from cairn.limits import network_of
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


@pytest.mark.parametrize(
    ("function", "body"),
    [
        (verify_document, NOT_A_PDF),
        (waiver_form, NOT_A_PDF),
    ],
)
async def test_17b6_all_networks_of_one_customer_share_the_processes_of_one_network(
    context: FunctionsContext, function: Function, body: bytes
) -> None:
    """17B6: a customer with a /48 network of IPv6 does not use up the processes that read and render documents."""

    async def is_too_busy(ip: str) -> bool:
        try:
            await function(Call(ANON, body, context, network_of(ip), ip))
        except TooBusy:
            return True
        except Problem:
            return False  # The file was read, and is not a form.
        return False

    of_one_customer = [is_too_busy(f"2001:db8:7:{number:x}::1") for number in range(30)]
    *refusals, is_another_refused = await asyncio.gather(*of_one_customer, is_too_busy("2001:db8:8::1"))

    assert any(refusals)
    assert not is_another_refused
