"""I1: the export of a person with thousands of messages does not keep the server from serving others.

I1 is a finding in docs/security.md.
"""

import io
import json
import time
import zipfile
from typing import Any

import httpx
import pytest_asyncio

from cairn.db import Connection, Database, Principal
from tests.abuse.locked_table import count_waiting_reads
from tests.abuse.test_exported_heads import response_and_longest_step
from tests.factories import make_session
from tests.functions.test_documents import call
from tests.people import Person, sign_up, signed_in

EMAIL = "zebulon@example.org"
SENDING_COUNT = 2500
EXPORTS_PER_NETWORK_AND_MINUTE = 6
# The limit for ten minutes.
EXPORTS_PER_PERSON = 2
ADD_SENDINGS = """
insert into public.sent_waivers
       (company_id, session_id, template_id, template_name, template_content, recipient_name, recipient_email)
select $1, $2, 't', 'River trip ' || n, '', repeat('Zebulon ', 20), $3 from generate_series(1, $4) as n
"""


@pytest_asyncio.fixture
async def people(database: Database, rosa: Person) -> dict[str, Principal]:
    zebulon = await sign_up(database, EMAIL, "Zebulon Quist", company=None)
    return {"rosa": await signed_in(database, rosa), "zebulon": await signed_in(database, zebulon)}


def exported_lists(response: httpx.Response) -> dict[str, list[dict[str, Any]]]:
    assert response.status_code == 200, response.text
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")}


async def test_i1_lists_are_exported_in_pages_and_not_encoded_on_the_event_loop(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person
) -> None:
    """Compares processor times of the thread that serves all requests. Other processes do not change them."""
    session_id = await make_session(database, rosa)
    await admin.execute(ADD_SENDINGS, rosa.company, session_id, EMAIL, SENDING_COUNT)
    await call(client, "rosa", "export-my-data", {})

    response, longest_step_seconds = await response_and_longest_step(call(client, "zebulon", "export-my-data", {}))
    lists = exported_lists(response)
    pages = [lists[name] for name in ("sendings.json", "sendings 2.json", "sendings 3.json")]
    started_at = time.thread_time()
    json.dumps(pages, indent=2)
    encoding_seconds = time.thread_time() - started_at

    assert [len(page) for page in pages] == [1000, 1000, 500]
    assert len({row["id"] for page in pages for row in page}) == SENDING_COUNT
    assert longest_step_seconds < encoding_seconds / 4


async def test_i1_the_invitations_of_an_export_are_in_pages_and_without_the_description_of_the_template(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person
) -> None:
    sessions = [await make_session(database, rosa, name="Zebulon", email=EMAIL) for _ in range(101)]
    await admin.execute("update waivers.sessions set template_description = 'A long description'")

    lists = exported_lists(await call(client, "zebulon", "export-my-data", {}))

    invitations = lists["invitations.json"] + lists["invitations 2.json"]
    assert {row["id"] for row in invitations} == {str(session_id) for session_id in sessions}
    assert (len(lists["invitations.json"]), "template_description" in invitations[0]) == (100, False)


async def test_i1_a_network_can_request_six_exports_a_minute(client: httpx.AsyncClient) -> None:
    responses = [await call(client, "zebulon", "export-my-data", {}) for _ in range(EXPORTS_PER_NETWORK_AND_MINUTE + 1)]

    codes = [response.json()["code"] for response in responses[EXPORTS_PER_PERSON:]]
    assert codes == ["too_many_exports"] * (EXPORTS_PER_NETWORK_AND_MINUTE - EXPORTS_PER_PERSON) + [
        "too_many_documents"
    ]


async def test_i1_a_network_reads_one_part_of_its_exports_at_a_time(
    client: httpx.AsyncClient, admin: Connection
) -> None:
    exports = [call(client, name, "export-my-data", {}) for name in ("rosa", "zebulon")]

    count, responses = await count_waiting_reads(admin, "auth.audit_log", exports)

    assert count == 1
    assert [response.status_code for response in responses] == [200, 200]
