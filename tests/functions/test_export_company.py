"""The owner of a company exports everything that the company has sent and that its guests have signed.

16B2 and 16L10 are findings in docs/security.md.
"""

import csv
import io
import json
import zipfile
from typing import Any

import asyncpg
import httpx
import pytest

from cairn.db import Connection, Database
from cairn.functions import FunctionsContext
from cairn.waivers import Seal, company_export, seal_new_events
from tests.factories import make_session, make_template, sign
from tests.functions.conftest import SignAndSeal
from tests.functions_service import functions_client
from tests.people import Person, hire
from tests.waivers.acts import erase
from tests.waivers.forms.sample_forms import EMERGENCY, GUARDIAN, minor, open_session, sign_form


async def export(client: httpx.AsyncClient, caller: str) -> httpx.Response:
    return await client.post("/export-company", json={}, headers={"Authorization": f"Bearer {caller}"})


@pytest.mark.accept("TRUE-37")
async def test_the_owner_exports_templates_waivers_documents_and_heads(
    client: httpx.AsyncClient,
    database: Database,
    seal: Seal,
    sign_and_seal: SignAndSeal,
    rosa: Person,
    mallory: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cairn.waivers.company_export._PAGE_SIZE", 1)
    template_id = await make_template(database, rosa, name="River trip", content="Beware of the rapids.")
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("insert into waiver_templates (id, name) values ($1, 'Lake trip')", "../../trip\\x")
    waiver, document = await sign_and_seal(name="=HYPERLINK(1)")
    await sign(database, await make_session(database, rosa), name="Ana Lee")
    await sign(database, await make_session(database, rosa), name="Bo;=1+1;Li")
    erased = await sign(database, await make_session(database, rosa), name="Zebulon Quist")
    await erase(database, rosa, erased["id"])
    await make_session(database, rosa, name="Not Signed Yet")
    await sign(database, await make_session(database, mallory), name="Guest Of Mallory")
    await seal_new_events(database, seal)

    response = await export(client, "rosa")

    assert response.status_code == 200, response.text
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    files = {name: archive.read(name) for name in archive.namelist()}
    name = f"waivers/{waiver['signed_at']:%Y-%m-%d} {waiver['id']}"
    assert files[f"{name}.pdf"] == document
    record = json.loads(files[f"{name}.json"])
    assert record["signer_name"] == "=HYPERLINK(1)"
    assert "document.sealed" in [event["name"] for event in record["events"]]
    rows = list(csv.DictReader(io.StringIO(files["waivers.csv"].decode())))
    assert sorted(row["signer_name"] for row in rows) == ["'=HYPERLINK(1)", "Ana Lee", "Bo;'=1+1;Li"]
    unsigned = list(csv.DictReader(io.StringIO(files["unsigned.csv"].decode())))
    assert [row["recipient_name"] for row in unsigned] == ["Not Signed Yet"]
    template = json.loads(files[f"templates/{template_id} version 1.json"])
    assert (template["name"], template["content"]) == ("River trip", "Beware of the rapids.")
    assert "templates/.._.._trip_x version 1.json" in files
    assert len(json.loads(files["heads.json"])["heads"]) == 2, (
        "one for the sealed document, and one for the other events"
    )
    everything = b"".join(files.values())
    assert b"Guest Of Mallory" not in everything
    assert b"Zebulon" not in everything


@pytest.mark.accept("FORM-39")
async def test_the_export_lists_each_participant_with_flags_and_answers_that_are_not_sensitive(
    client: httpx.AsyncClient, database: Database, rosa: Person, mallory: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cairn.waivers.company_export._PARTICIPANTS_PAGE_SIZE", 1)
    plain = await sign(database, await make_session(database, rosa), name="Ana Lee")
    family = await sign_family(database, rosa)
    await sign_family(database, mallory)

    archive = zipfile.ZipFile(io.BytesIO((await export(client, "rosa")).content))

    rows = list(csv.DictReader(io.StringIO(archive.read("participants.csv").decode())))
    [ana] = [row for row in rows if row["waiver_id"] == str(plain["id"])]
    gil, mia = [row for row in rows if row["waiver_id"] == str(family["id"])]
    assert len(rows) == 3, "no participant of a rival is listed"
    assert (ana["name"], ana["kind"], ana["flags"], ana["answers"]) == ("Ana Lee", "adult", "", "")
    assert (gil["name"], gil["kind"], gil["takes_part"]) == ("Gil Okafor", "adult", "True")
    assert json.loads(gil["answers"]) == {"emergency": EMERGENCY}
    assert (mia["name"], mia["kind"], mia["birth_date"]) == ("Mia Okafor", "minor", minor()["birth_date"])
    assert (mia["flags"], json.loads(mia["answers"])) == ("Cannot swim well", {"swims": "badly"})
    record = json.loads(archive.read(f"waivers/{family['signed_at']:%Y-%m-%d} {family['id']}.json"))
    assert record["participants"][0]["answers"]["asthma"] is True, "the whole record has the sensitive answers too"


async def test_16b2_only_the_participants_of_a_few_waivers_are_in_memory_at_the_same_time(
    client: httpx.AsyncClient, database: Database, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    page_sizes: list[int] = []
    csv_lines = company_export._csv_lines

    def record_size(rows: list[Any]) -> bytes:
        page_sizes.append(len(rows))
        return csv_lines(rows)

    monkeypatch.setattr(company_export, "_csv_lines", record_size)
    for _ in range(11):
        await sign(database, await make_session(database, rosa))

    await export(client, "rosa")

    # Each file begins with a line of headers. The waivers are one page, and the participants are two.
    assert page_sizes == [1, 11, 1, 10, 1, 1]


async def test_16l10_neither_quotes_nor_full_width_signs_hide_a_formula(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    cells = {
        'Bo;"=1+1': "Bo;'\"=1+1",
        'Bo; " @1': "Bo;' \" @1",
        'Bo "B" Li; x = 1': 'Bo "B" Li; x = 1',
        "Bo;\uff0b1": "Bo;'\uff0b1",
        "\uff1d1+1": "'\uff1d1+1",
        "\uff0d1": "'\uff0d1",
        "\uff201": "'\uff201",
    }
    for name in cells:
        await make_session(database, rosa, name=name)

    archive = zipfile.ZipFile(io.BytesIO((await export(client, "rosa")).content))

    rows = csv.DictReader(io.StringIO(archive.read("unsigned.csv").decode()))
    assert {row["recipient_name"] for row in rows} == set(cells.values())


async def sign_family(database: Database, owner: Person) -> asyncpg.Record:
    return await sign_form(
        database,
        await open_session(database, owner),
        answers={"emergency": EMERGENCY, "asthma": False},
        participants=[minor(answers={"asthma": True, "swims": "badly"})],
        guardian=GUARDIAN,
    )


@pytest.mark.accept("TRUE-37")
async def test_no_one_but_the_owner_exports_a_company(
    context: FunctionsContext, database: Database, admin: Connection, rosa: Person, gil: Person, mallory: Person
) -> None:
    otto = await hire(database, "otto@example.org", "Otto Helper", by=rosa)
    await sign(database, await make_session(database, rosa), name="Ana Lee")
    people = {"otto": otto.principal, "gil": gil.principal, "mallory": mallory.principal}
    async with functions_client(context, people) as client:
        for caller in ("otto", "gil"):
            response = await export(client, caller)
            assert (response.status_code, response.json()["code"]) == (403, "only_owners_export")
        of_mallory = (await export(client, "mallory")).content
    archive = zipfile.ZipFile(io.BytesIO(of_mallory))
    assert not any(name.startswith("waivers/") for name in archive.namelist())
    assert await admin.fetchval("select count(*) from waivers.audit_events where name = 'document.downloaded'") == 0


async def test_a_company_can_be_exported_three_times_a_day(client: httpx.AsyncClient) -> None:
    for _ in range(3):
        assert (await export(client, "rosa")).status_code == 200

    response = await export(client, "rosa")

    assert (response.status_code, response.json()["code"]) == (429, "too_many_company_exports")
