"""A browser that sends waivers to a list of guests chooses the ids of the rows, so that it can repeat a request."""

from typing import Any
from uuid import uuid4

import pytest

from cairn.db import Connection
from tests.factories import SAMPLE_TEMPLATE_ID
from tests.people import Person
from tests.rest.conftest import Client, HeadersFor

RECIPIENT = {"recipient_name": "Gil Moreau", "recipient_email": "gil@example.com"}
IGNORE_DUPLICATES = {"Prefer": "resolution=ignore-duplicates,return=minimal"}


def new_session(session_id: str) -> dict[str, Any]:
    return {"id": session_id, "template_id": SAMPLE_TEMPLATE_ID, "status": "pending", **RECIPIENT}


def new_sending(sending_id: str, session_id: str) -> dict[str, Any]:
    template = {"template_id": SAMPLE_TEMPLATE_ID, "template_name": "Waiver", "template_content": "I agree."}
    return {"id": sending_id, "session_id": session_id, **template, **RECIPIENT, "sent_as_pdf": False}


@pytest.mark.accept("APP-42")
async def test_a_repeated_session_and_sending_are_stored_once(
    client: Client, admin: Connection, rosa: Person, headers_for: HeadersFor
) -> None:
    session_id, sending_id = str(uuid4()), str(uuid4())
    for _ in range(2):
        created = await client.post("/waiver_sessions", json=new_session(session_id), headers=headers_for(rosa))
        assert created.status_code == 201
        recorded = await client.post(
            "/sent_waivers?on_conflict=id",
            json=new_sending(sending_id, session_id),
            headers={**headers_for(rosa), **IGNORE_DUPLICATES},
        )
        assert recorded.status_code in (200, 201)

    assert await admin.fetchval("select count(*) from waivers.sessions where recipient_email = 'gil@example.com'") == 1
    assert await admin.fetchval("select count(*) from sent_waivers") == 1


@pytest.mark.accept("APP-42")
async def test_a_rival_cannot_repeat_the_sending_of_another_company(
    client: Client, admin: Connection, rosa: Person, mallory: Person, headers_for: HeadersFor
) -> None:
    session_id, sending_id = str(uuid4()), str(uuid4())
    await client.post("/waiver_sessions", json=new_session(session_id), headers=headers_for(rosa))

    session = await client.post("/waiver_sessions", json=new_session(session_id), headers=headers_for(mallory))
    sending = await client.post(
        "/sent_waivers?on_conflict=id",
        json=new_sending(sending_id, session_id),
        headers={**headers_for(mallory), **IGNORE_DUPLICATES},
    )

    assert (session.status_code, sending.status_code) == (409, 403)
    assert await admin.fetchval("select count(*) from sent_waivers") == 0


@pytest.mark.accept("APP-40")
async def test_only_the_company_itself_reads_who_has_not_signed_yet(
    client: Client, rosa: Person, mallory: Person, headers_for: HeadersFor
) -> None:
    await client.post("/waiver_sessions", json=new_session(str(uuid4())), headers=headers_for(rosa))
    url = (
        f"/waiver_sessions?select=recipient_email&template_id=eq.{SAMPLE_TEMPLATE_ID}&status=eq.pending"
        "&recipient_email=in.(gil@example.com,noor@example.com)&expires_at=gt.2026-01-01"
    )

    assert (await client.get(url, headers=headers_for(rosa))).json() == [{"recipient_email": "gil@example.com"}]
    assert (await client.get(url, headers=headers_for(mallory))).json() == []
