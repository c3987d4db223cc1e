"""The calls the product makes, word for word as the client puts them on the wire."""

from collections.abc import Callable

import pytest

from cairn.db import Database
from tests.cast import Person
from tests.make import SAMPLE, make_session, signature
from tests.rest.conftest import Client, Door

Headers = Callable[[Person], dict[str, str]]
ONE = {"Accept": "application/vnd.pgrst.object+json"}
BACK = {"Prefer": "return=representation"}
PUBLIC = {"Content-Profile": "public"}


async def test_the_directory_lists_the_newest_first(
    client: Client, database: Database, rosa: Person, calling: Headers
) -> None:
    older = await make_session(database, rosa, name="Gil")
    newer = await make_session(database, rosa, name="Ada")

    answer = await client.get(
        "/waiver_sessions?select=*&order=created_at.desc", headers={**calling(rosa), "Accept-Profile": "public"}
    )

    assert answer.status_code == 200
    assert [row["id"] for row in answer.json()] == [str(newer), str(older)]
    assert answer.headers["content-range"] == "0-1/*"
    assert answer.headers["content-profile"] == "public"
    assert answer.headers["content-type"] == "application/json; charset=utf-8"


@pytest.mark.accept("REST-09", "REST-15")
async def test_a_visitor_opens_a_session_and_signs_it(client: Client, door: Door) -> None:
    opened = await client.post(
        "/waiver_sessions?select=*",
        json={"template_id": SAMPLE, "status": "pending", "template_content": "mine"},
        headers={**ONE, **BACK, **PUBLIC},
    )
    assert opened.status_code == 201, opened.text
    session = opened.json()
    signed = await client.post(
        '/signed_waivers?columns="template_id","template_name","signer_name","signer_email","signature","content","session_id"&select=*',
        json=[
            {
                "template_id": SAMPLE,
                "template_name": "x",
                "signer_name": "Gil",
                "signer_email": "gil@example.com",
                "signature": signature(),
                "content": "x",
                "session_id": session["id"],
            }
        ],
        headers={**BACK, **PUBLIC},
    )

    assert signed.status_code == 201, signed.text
    assert signed.json()[0]["session_id"] == session["id"]
    assert (await client.get("/signed_waivers?select=*")).json() == []
    assert door.writes == 2
