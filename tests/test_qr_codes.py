"""The signing page has a QR code, with which a guest continues on a phone.

As docs/security.md says, tests of small findings have `low` in their names.
"""

import httpx

from cairn.db import Database
from cairn.waivers import qr_code_svg
from tests.factories import SAMPLE_TEMPLATE_ID, make_session
from tests.people import Person
from tests.test_site import build, visitor

__all__ = ["build", "visitor"]


async def test_the_qr_code_contains_the_address_of_the_signing_page(
    visitor: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)

    qr_code = await visitor.get(f"/waivers/sign/session/{session_id}/qr.svg?company=rio")

    assert qr_code.headers["content-type"] == "image/svg+xml"
    assert "no-store" in qr_code.headers["cache-control"]
    assert qr_code.content == qr_code_svg(f"http://cairn/waivers/sign/session/{session_id}?company=rio")
    assert (await visitor.get(f"/waivers/sign/{'x' * 600}/qr.svg")).status_code == 404


async def test_low_a_network_gets_a_limited_number_of_qr_codes(visitor: httpx.AsyncClient) -> None:
    path = f"/waivers/sign/{SAMPLE_TEMPLATE_ID}/qr.svg"
    responses = [await visitor.get(path) for _ in range(120)]
    assert {response.status_code for response in responses} == {200}
    # The limit is refilled with two codes a second.
    while responses[-1].status_code == 200 and len(responses) < 300:
        responses.append(await visitor.get(path))
    assert responses[-1].status_code == 429
    assert int(responses[-1].headers["retry-after"]) > 0
    assert (await visitor.get(f"/waivers/sign/{'x' * 300}/qr.svg")).status_code == 404
