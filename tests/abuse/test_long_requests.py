"""B6, B7: no long request stops the server from serving others. B1: the response to a short request has a limited size.

B1, B6 and B7 are findings in docs/security.md.
"""

import json

import pytest

from tests.abuse.honest import ATTACKER_ADDRESS, client_from
from tests.abuse.test_rest_bodies import others_are_served
from tests.factories import SAMPLE_TEMPLATE_ID
from tests.serving import RunningServer

pytestmark = pytest.mark.xdist_group("server under abuse")

LONG_QUERIES = {
    "columns": "select=" + ",".join(["text"] * 12_000),
    "filters": "&".join(["text=eq.a"] * 6000),
    "alternatives": "or=(" + ",".join(["text.eq.a"] * 6000) + ")",
    "values": "text=in.(" + ",".join(["a"] * 30_000) + ")",
    "order": "order=" + ",".join(["text.asc"] * 7000),
}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize("name", LONG_QUERIES)
async def test_b6_a_long_query_of_a_stranger_does_not_delay_others(server: RunningServer, name: str) -> None:
    async with client_from(server, ATTACKER_ADDRESS) as attacker, others_are_served(server):
        response = await attacker.get(f"/rest/v1/consent_texts?{LONG_QUERIES[name]}")

    assert response.status_code == 414
    assert response.json()["code"] == "query_too_long"


async def test_b6_a_program_of_the_operator_may_send_a_long_query(server: RunningServer) -> None:
    async with client_from(server, ATTACKER_ADDRESS, token=server.service_key) as operator:
        response = await operator.get(f"/rest/v1/consent_texts?{LONG_QUERIES['values']}")

    assert response.status_code == 200


async def test_b6_a_query_of_four_hundred_ids_is_answered(server: RunningServer) -> None:
    ids = "%2C".join(["4c1b1f6e-3a54-4c3e-9d0e-0a1b2c3d4e5f"] * 400)
    async with client_from(server, ATTACKER_ADDRESS) as guest:
        response = await guest.get(f"/rest/v1/consent_texts?select=text&text=in.%28{ids}%29")

    assert response.status_code == 200


async def test_b6_a_select_with_hundreds_of_columns_is_refused(server: RunningServer) -> None:
    columns = ",".join(f"c{number}:text->>{number}" for number in range(301))
    async with client_from(server, ATTACKER_ADDRESS) as attacker:
        response = await attacker.get(f"/rest/v1/consent_texts?select={columns}")

    assert response.status_code == 400
    assert "at most 300 columns" in response.json()["details"]


async def test_b1_a_column_cannot_be_selected_many_times(server: RunningServer) -> None:
    many = "select=" + ",".join(f"a{number}:template_content" for number in range(6))
    few = "select=" + ",".join(f"a{number}:template_content" for number in range(5))
    row = {"template_id": SAMPLE_TEMPLATE_ID}
    headers = {"Prefer": "return=representation"}
    async with client_from(server, ATTACKER_ADDRESS) as attacker:
        refused = [
            await attacker.get(f"/rest/v1/waiver_sessions?{many}"),
            await attacker.post(f"/rest/v1/waiver_sessions?{many}", json=row, headers=headers),
        ]
        accepted = await attacker.get(f"/rest/v1/waiver_sessions?{few}")

    assert [response.status_code for response in refused] == [400, 400]
    assert all("each column at most 5 times" in response.json()["details"] for response in refused)
    assert accepted.status_code == 200


LARGE_BODIES = {
    "parameters of a function": ("/functions/v1/email-copy", JSON, json.dumps(dict.fromkeys(map(str, range(400_000))))),
    "fields of the form behind an email link": ("/auth/v1/verify", FORM, "a=b&" * 249_000),
    "fields of an identity provider": ("/auth/v1/sso/saml/acs", FORM, "a=b&" * 249_000),
    "metadata of an account": ("/auth/v1/signup", JSON, json.dumps({"data": dict.fromkeys(map(str, range(60_000)))})),
}


@pytest.mark.parametrize("name", LARGE_BODIES)
async def test_b7_a_large_body_of_a_stranger_does_not_delay_others(server: RunningServer, name: str) -> None:
    path, headers, body = LARGE_BODIES[name]
    async with client_from(server, ATTACKER_ADDRESS) as attacker, others_are_served(server):
        response = await attacker.post(path, content=body.encode(), headers=headers)

    # The server has no identity provider, so it does not read what one would send.
    assert response.status_code == (404 if path == "/auth/v1/sso/saml/acs" else 413), response.text[:200]


async def test_b7_parameters_with_thousands_of_unknown_names_do_not_delay_others(server: RunningServer) -> None:
    body = json.dumps(dict.fromkeys(map(str, range(16_000))))
    async with client_from(server, ATTACKER_ADDRESS) as attacker, others_are_served(server):
        response = await attacker.post("/functions/v1/email-copy", content=body.encode(), headers=JSON)

    assert response.status_code == 400, response.text[:200]
