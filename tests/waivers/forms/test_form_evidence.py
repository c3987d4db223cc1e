"""The hash of a record covers its form, its answers and its participants, and the document prints them.

14L6 is a finding in docs/security.md.
"""

import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pikepdf
import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from cairn.waivers import DocumentContext, Seal
from tests.factories import signature_data_url
from tests.independent_verifier import findings
from tests.people import Person
from tests.waivers.forms.packs import document_text, pack_of
from tests.waivers.forms.sample_forms import EMERGENCY, FAMILY_FORM, GUARDIAN, minor, open_session, sign_form

CONTENT = "I, [PARTICIPANT NAME], ride.\n\nI can swim. [INITIALS]"
BROKEN_RECORDS = "select count(*) from waivers.broken_evidence() where reason like '%record%'"
WRONG_FLAGS = "the flags of a participant do not follow from the answers"
OTHER_VALUES = {
    "id": "gen_random_uuid()",
    "number": "number + 5",
    "takes_part": "not takes_part",
    "name": "'Mallory Quick'",
    "birth_date": "coalesce(birth_date, '1980-01-01') - 1",
    "kind": "case kind when 'adult' then 'minor' else 'adult' end",
    "answers": "answers || '{\"asthma\": true}'",
    "signature": "coalesce(signature, '') || 'A'",
    "sensitive_sha256": "sha256(sensitive_sha256)",
}


@pytest_asyncio.fixture
async def waiver_id(database: Database, rosa: Person) -> UUID:
    session_id = await open_session(database, rosa, FAMILY_FORM, CONTENT)
    waiver = await sign_form(
        database,
        session_id,
        answers={"emergency": EMERGENCY, "asthma": False},
        participants=[
            minor(name="Žofie 山田", answers={"asthma": True, "inhaler": True, "swims": "badly"}),
            minor(17, name="Noa Okafor", signature=signature_data_url()),
        ],
        guardian=GUARDIAN,
        initials=["GO"],
    )
    result: UUID = waiver["id"]
    return result


async def test_an_independent_verifier_accepts_a_waiver_with_a_form(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, waiver_id: UUID
) -> None:
    pack = await pack_of(database, documents, seal, rosa, waiver_id)

    assert findings(pack, [seal.certificate]) == []
    assert json.loads(pack["record.json"])["record_version"] == 4
    assert len(json.loads(pack["form.json"])["participants"]) == 3


async def test_an_independent_verifier_finds_every_change_of_form_answers_and_participants(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, waiver_id: UUID
) -> None:
    pack = await pack_of(database, documents, seal, rosa, waiver_id)
    form = json.loads(pack["form.json"])
    changes = [{**form, name: (form[name] or "") + " "} for name in ("form", "initials", "guardian")]
    changes.append({**form, "participants": form["participants"][:-1]})
    changes.append({**form, "participants": form["participants"][::-1]})
    for number, participant in enumerate(form["participants"]):
        for name, value in participant.items():
            if name == "sensitive_salt":
                continue
            other_value = (not value) if isinstance(value, bool) else f"{value}0"
            changed = [*form["participants"]]
            changed[number] = {**participant, name: other_value}
            changes.append({**form, "participants": changed})
    for change in changes:
        changed_pack = {**pack, "form.json": json.dumps(change).encode()}
        assert findings(changed_pack, [seal.certificate], with_manifest=False) != [], change


async def test_deleted_sensitive_answers_leave_a_record_that_can_be_checked(
    database: Database,
    admin: Connection,
    documents: DocumentContext,
    seal: Seal,
    rosa: Person,
    waiver_id: UUID,
    tmp_path: Path,
) -> None:
    await admin.execute("delete from waivers.sensitive_answers")
    pack = await pack_of(database, documents, seal, rosa, waiver_id)

    assert findings(pack, [seal.certificate]) == []
    assert "Sensitive answers were deleted" in document_text(pack["waiver.pdf"], tmp_path)


@pytest.mark.parametrize("column", OTHER_VALUES)
@pytest.mark.usefixtures("waiver_id")
async def test_the_database_finds_a_changed_participant(admin: Connection, column: str) -> None:
    assert await admin.fetchval(BROKEN_RECORDS) == 0
    await admin.execute("set session_replication_role = replica")
    await admin.execute(f"update waivers.participants set {column} = {OTHER_VALUES[column]} where number = 1")

    assert await admin.fetchval(BROKEN_RECORDS) == 1


@pytest.mark.usefixtures("waiver_id")
async def test_the_database_finds_changed_sensitive_answers(admin: Connection) -> None:
    await admin.execute("""update waivers.sensitive_answers set answers = answers || '{"asthma": false, "more": 1}'""")

    assert await broken_reasons(admin) == {"the sensitive answers of a participant were changed", WRONG_FLAGS}


@pytest.mark.parametrize("table", ["participants", "sensitive_answers"])
@pytest.mark.usefixtures("waiver_id")
async def test_14l6_the_database_finds_changed_flags(admin: Connection, table: str) -> None:
    assert await broken_reasons(admin) == set()
    await admin.execute("set session_replication_role = replica")
    await admin.execute(f"update waivers.{table} set flags = '[]'")

    assert await broken_reasons(admin) == {WRONG_FLAGS}


async def test_14l6_flags_by_age_stay_valid_when_the_company_moves_to_another_time_zone(
    database: Database, admin: Connection, rosa: Person
) -> None:
    question = {
        "key": "born",
        "kind": "birth_date",
        "label": "Born",
        "flag": {"when": {"age_below": 28}, "text": "Young"},
    }
    form = {"questions": [question]}
    await admin.execute("update companies set time_zone = 'Pacific/Kiritimati'")
    for days in (-1, 0, 1, 2):
        birthday = datetime.now(UTC).date() + timedelta(days=days)
        born = birthday.replace(year=birthday.year - 28)
        await sign_form(database, await open_session(database, rosa, form), answers={"born": born.isoformat()})
    await admin.execute("update companies set time_zone = 'Pacific/Pago_Pago'")

    assert await broken_reasons(admin) == set()


async def broken_reasons(admin: Connection) -> set[str]:
    return {row["reason"] for row in await admin.fetch("select reason from waivers.broken_evidence()")}


@pytest.mark.parametrize("column", ["initials", "guardian"])
@pytest.mark.usefixtures("waiver_id")
async def test_the_database_finds_changed_initials_and_another_guardian(admin: Connection, column: str) -> None:
    await admin.execute("set session_replication_role = replica")
    await admin.execute(f"update waivers.signed set {column} = '[\"MQ\"]'")

    assert await admin.fetchval(BROKEN_RECORDS) == 1


async def test_the_document_prints_questions_answers_and_participants(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, waiver_id: UUID, tmp_path: Path
) -> None:
    pack = await pack_of(database, documents, seal, rosa, waiver_id)
    text = document_text(pack["waiver.pdf"], tmp_path)

    for expected in (
        "Participants and answers",
        "Emergency contact Ana Okafor, sister, +1 555 0100",
        "Do you have asthma? No",
        "Žofie 山田 Minor, born",
        "Do you have asthma? Yes",
        "Do you carry an inhaler? Yes",
        "How well do you swim? Not well",
        "Noa Okafor Minor, born",
        "Gil Okafor signs for the minors above (mother)",
        "GO",
    ):
        assert expected in text, expected
    with pikepdf.open(io.BytesIO(pack["waiver.pdf"])) as pdf:
        assert len(pdf.pages) <= 4
