"""An independent program finds every change in an evidence pack, and agrees with other tools about an unchanged one."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from cairn.db import Database
from cairn.waivers import DocumentContext, Seal, evidence_pack, load_seal, seal_new_events, verify
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.access import note_export
from tests import independent_verifier
from tests.factories import make_session, sign
from tests.independent_verifier import findings, read_pack
from tests.people import Person
from tests.seals import document_settings
from tests.waivers.acts import erase
from tests.waivers.documents.tools import pdfsig, qpdf_check

STROKES = [[{"x": 10.50, "y": 20, "pressure": 0.5, "time": 1000}, {"x": 90, "y": 40, "pressure": 0.5, "time": 1500}]]
CHANGE_COUNT = 1000
HASHED_RECORD_FIELDS = [
    name
    for name in independent_verifier.RECORD_FIELDS[3]
    if name not in {"content", "signature", "strokes", "record_version"}
]
Pack = dict[str, bytes]
Change = Callable[[random.Random, Pack], str]


@pytest_asyncio.fixture
async def pack_file(database: Database, documents: DocumentContext, seal: Seal, rosa: Person) -> bytes:
    """Returns the evidence pack of one of three waivers of a session. One of the other two was erased.

    The head of the pack covers other sessions too.
    """
    session_id = await make_session(database, rosa)
    await sign(database, session_id)
    waiver = await sign(
        database, session_id, name="Žofie 山田", strokes=json.dumps(STROKES), consent_version="2026-11",
        time_zone="Asia/Tokyo", scroll_depth=100,
    )  # fmt: skip
    erased = await sign(database, session_id, name="Zebulon Quist", signer_email="zebulon@example.org")
    await prepare_document(database, documents, seal, waiver["id"])
    await erase(database, rosa, erased["id"])
    for _ in range(4):
        await sign(database, await make_session(database, rosa))
    # This head covers the export and the other sessions. The export below follows within five seconds, so it is not
    # recorded again, and the pack contains this head.
    await note_export(database, waiver["id"], rosa.principal, ip=None)
    await seal_new_events(database, seal)
    return (await evidence_pack(database, documents, rosa.principal, waiver["id"])).content


async def test_an_unchanged_pack_has_no_contradiction(pack_file: bytes, seal: Seal) -> None:
    pack = read_pack(pack_file)

    assert findings(pack, [seal.certificate]) == []
    assert len(json.loads(pack["head.json"])["path"]) > 0
    assert [event["name"] for event in json.loads(pack["events.json"])] == [
        "session.opened", "waiver.signed", "waiver.signed", "waiver.signed", "document.sealed", "email.requested",
        "waiver.erased", "evidence.exported",
    ]  # fmt: skip


@pytest.mark.usefixtures("pdf_tools")
async def test_other_tools_agree_that_the_document_is_unchanged(pack_file: bytes, seal: Seal, tmp_path: Path) -> None:
    document = read_pack(pack_file)["waiver.pdf"]
    file = tmp_path / "waiver.pdf"
    file.write_bytes(document)

    assert "Signature is Valid" in pdfsig(file)
    assert "Total document signed" in pdfsig(file)
    assert "No syntax or stream encoding errors" in qpdf_check(file)
    # `verify` uses pyHanko.
    assert (await verify(document, [seal.certificate])).is_unchanged


async def test_a_pack_of_another_service_is_not_accepted(pack_file: bytes, tmp_path: Path) -> None:
    other_seal = load_seal(tmp_path / "other", document_settings())

    assert findings(read_pack(pack_file), [other_seal.certificate]) != []


def test_the_verifier_imports_nothing_of_the_product() -> None:
    source = Path(independent_verifier.__file__).read_text()

    assert "import cairn" not in source
    assert "from cairn" not in source
    assert "from tests" not in source


@pytest.mark.accept("TRUE-07")
async def test_every_random_change_is_found(pack_file: bytes, seal: Seal) -> None:
    """Every second change must be found without the manifest, as if the manifest's signature had been forged."""
    pack = read_pack(pack_file)
    generator = random.Random(20261116)  # noqa: S311 - the changes need not be secret
    missed = []
    for number in range(CHANGE_COUNT):
        with_manifest = number % 2 == 0
        description, changed = random_change(generator, pack, ANY_CHANGES if with_manifest else EVIDENCE_CHANGES)
        assert changed != pack, description
        if not findings(changed, [seal.certificate], with_manifest=with_manifest):
            missed.append(description)

    assert missed == []


def random_change(generator: random.Random, pack: Pack, changes: list[Change]) -> tuple[str, Pack]:
    """Makes changes until one of them has an effect, and returns its description and the changed pack."""
    while True:
        changed = dict(pack)
        description = generator.choice(changes)(generator, changed)
        if changed != pack:
            return description, changed


def flip_a_bit(generator: random.Random, pack: Pack, names: list[str] | None = None) -> str:
    name = generator.choice(names or sorted(pack))
    position, bit = generator.randrange(len(pack[name])), 1 << generator.randrange(8)
    content = bytearray(pack[name])
    content[position] ^= bit
    pack[name] = bytes(content)
    return f"bit {bit} of byte {position} of {name}"


def cut_off_the_end(generator: random.Random, pack: Pack) -> str:
    name = generator.choice(sorted(pack))
    length = generator.randrange(len(pack[name]))
    pack[name] = pack[name][:length]
    return f"the first {length} bytes of {name}"


def insert_a_byte(generator: random.Random, pack: Pack) -> str:
    name = generator.choice(sorted(pack))
    position = generator.randrange(len(pack[name]) + 1)
    pack[name] = pack[name][:position] + bytes([generator.randrange(256)]) + pack[name][position:]
    return f"a new byte {position} in {name}"


def remove_a_file(generator: random.Random, pack: Pack) -> str:
    name = generator.choice(sorted(pack))
    del pack[name]
    return f"without {name}"


def add_a_file(generator: random.Random, pack: Pack) -> str:
    name = f"note{generator.randrange(1000)}.txt"
    pack[name] = b"Believe this file."
    return f"with {name}"


def change_json(pack: Pack, name: str, change: Callable[[Any], object]) -> None:
    content = json.loads(pack[name])
    change(content)
    pack[name] = json.dumps(content, indent=2, ensure_ascii=False).encode() + b"\n"


def other_value(generator: random.Random, value: Any) -> Any:
    if value is None:
        return "2026-11-15T09:30:12.345000Z"
    if isinstance(value, int):
        return value + generator.choice([-1, 1])
    position = generator.randrange(len(value)) if value else 0
    return value[:position] + generator.choice("0123456789abcdef") + value[position + 1 :]


def change_a_field_of_the_record(generator: random.Random, pack: Pack) -> str:
    name = generator.choice([*HASHED_RECORD_FIELDS, "record_sha256", "document_sha256"])

    def change(record: dict[str, Any]) -> None:
        record[name] = other_value(generator, record[name])

    change_json(pack, "record.json", change)
    return f"field {name} of the record"


def change_what_was_signed(generator: random.Random, pack: Pack) -> str:
    return flip_a_bit(generator, pack, ["text.md", "signature.txt", "strokes.json", "waiver.pdf"])


def change_an_event(generator: random.Random, pack: Pack) -> str:
    fields = ["name", "at", "previous", "hash", "details", "version", "salt", "details_sha256", "is_erased"]
    field = generator.choice(fields)
    number = generator.randrange(len(json.loads(pack["events.json"])))

    def change(events: list[dict[str, Any]]) -> None:
        event = events[number]
        if field == "details":
            key = generator.choice([*event["details"], "new"])
            event["details"][key] = other_value(generator, event["details"].get(key))
        else:
            event[field] = other_value(generator, event[field])

    change_json(pack, "events.json", change)
    return f"{field} of event {number}"


def erase_an_event(generator: random.Random, pack: Pack) -> str:
    """Removes the details of an event as an erasure would, and changes an id that stays readable."""
    number = generator.randrange(len(json.loads(pack["events.json"])))

    def change(events: list[dict[str, Any]]) -> None:
        event = events[number]
        details = event["details"]
        public = {key: details[key] for key in details if key in independent_verifier.PUBLIC_KEYS}
        if not event["is_erased"]:
            private = {key: details[key] for key in details if key not in public}
            event["details_sha256"] = independent_verifier.removed_hash(event, private).hex()
        event.update(is_erased=True, salt=None, details=public)
        event["version"] = generator.choice([2, 3, 3, 3])
        if public:
            key = generator.choice(sorted(public))
            public[key] = generator.choice([public[key], other_value(generator, public[key])])

    change_json(pack, "events.json", change)
    return f"event {number} is erased"


def cut_off_the_last_events(generator: random.Random, pack: Pack) -> str:
    kept = generator.randrange(len(json.loads(pack["events.json"])))
    change_json(pack, "events.json", lambda events: events.__delitem__(slice(kept, None)))
    return f"only {kept} events"


def remove_an_event(generator: random.Random, pack: Pack) -> str:
    number = generator.randrange(len(json.loads(pack["events.json"])))
    change_json(pack, "events.json", lambda events: events.pop(number))
    return f"without event {number}"


def replace_the_history(generator: random.Random, pack: Pack) -> str:
    """Changes one event, and computes all hashes again, so that the chain itself has no contradiction."""
    session_id = json.loads(pack["record.json"])["session_id"]
    number = generator.randrange(len(json.loads(pack["events.json"])))

    def change(events: list[dict[str, Any]]) -> None:
        events[number]["at"] = other_value(generator, events[number]["at"])
        previous = None
        for event in events:
            event["previous"] = previous
            event["hash"] = previous = independent_verifier.event_hash(session_id, event).hex()

    change_json(pack, "events.json", change)
    return f"a history with another event {number}"


def change_the_head(generator: random.Random, pack: Pack) -> str:
    field = generator.choice(["text", "signature", "certificate", "session", "events", "hash", "path", "timestamp"])

    def change(head: dict[str, Any]) -> None:
        if field in ("text", "signature", "certificate"):
            head[field] = other_value(generator, head[field])
        elif field == "path":
            step = generator.choice(head["path"])
            step[1] = other_value(generator, step[1])
        elif field == "timestamp":
            head["timestamp"]["at"] = "2020-01-01T00:00:00.000000Z"
        else:
            head["entry"][field] = other_value(generator, head["entry"][field])

    change_json(pack, "head.json", change)
    return f"{field} of the head"


EVIDENCE_CHANGES: list[Change] = [
    change_a_field_of_the_record, change_what_was_signed, change_an_event, erase_an_event, cut_off_the_last_events,
    remove_an_event, replace_the_history, change_the_head,
]  # fmt: skip
ANY_CHANGES: list[Change] = [flip_a_bit, cut_off_the_end, insert_a_byte, remove_a_file, add_a_file, *EVIDENCE_CHANGES]


async def test_the_verifier_can_be_run_as_a_program(pack_file: bytes, seal: Seal, tmp_path: Path) -> None:
    (tmp_path / "pack.zip").write_bytes(pack_file)
    (tmp_path / "damaged.zip").write_bytes(pack_file[:-10])
    (tmp_path / "service.pem").write_bytes(seal.certificate_pem)

    result, damaged_result = run_verifier(tmp_path, "pack.zip"), run_verifier(tmp_path, "damaged.zip")

    assert result.stdout == "The document, its record, its history and its head agree.\n", result.stderr
    assert result.returncode == 0
    assert damaged_result.returncode == 1


def run_verifier(folder: Path, file: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, independent_verifier.__file__, file, "--certificate", "service.pem"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
