"""`cairn verify`, as somebody in doubt runs it."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import asyncpg
import httpx
import pytest

from tests.make import SAMPLE, signature
from tests.serving import Served, cairn, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture(scope="module")
def waiver(served: Served) -> UUID:
    """Signed by a guest on a bare sample, through the open door."""
    headers = {
        "apikey": served.anon_key,
        "Prefer": "return=representation",
        "Accept": "application/vnd.pgrst.object+json",
    }
    with httpx.Client(base_url=served.url, headers=headers) as client:
        session = client.post("/rest/v1/waiver_sessions", json={"template_id": SAMPLE, "status": "pending"}).json()
        row = {"session_id": session["id"], "signer_name": "Gil Okafor", "signer_email": "gil@example.com"}
        return UUID(client.post("/rest/v1/signed_waivers", json={**row, "signature": signature()}).json()["id"])


@pytest.fixture(scope="module")
def document(served: Served, waiver: UUID, tmp_path_factory: pytest.TempPathFactory) -> Path:
    headers = {"apikey": served.anon_key, "Authorization": f"Bearer {served.anon_key}"}
    asked = httpx.post(
        f"{served.url}/functions/v1/waiver-document", json={"waiver_id": str(waiver)}, headers=headers, timeout=20
    )
    assert asked.headers["content-type"] == "application/pdf", asked.text
    file = tmp_path_factory.mktemp("download") / "waiver.pdf"
    file.write_bytes(asked.content)
    return file


def test_a_good_document_is_confirmed_with_the_record(served: Served, document: Path, waiver: UUID) -> None:
    told = cairn("verify", document, "--data", served.data)

    assert told.returncode == 0, told.stderr
    assert "it is unchanged" in told.stdout
    assert str(waiver) in told.stdout
    assert "no external timestamp" in told.stdout
    assert "The database holds the same document." in told.stdout
    assert "The history is intact." in told.stdout


def test_it_works_offline_and_with_nothing_but_the_certificate(served: Served, document: Path, tmp_path: Path) -> None:
    [certificate] = (served.data / "seal").glob("*.crt")

    offline = cairn("verify", document, "--offline", "--data", served.data)
    elsewhere = cairn("verify", document, "--certificate", certificate, "--data", tmp_path / "nowhere")

    assert (offline.returncode, elsewhere.returncode) == (0, 0), offline.stderr + elsewhere.stderr
    assert not (tmp_path / "nowhere").exists()


def test_one_flipped_byte_is_reported(served: Served, document: Path, tmp_path: Path) -> None:
    changed = bytearray(document.read_bytes())
    changed[len(changed) // 2] ^= 1
    (tmp_path / "changed.pdf").write_bytes(changed)

    told = cairn("verify", tmp_path / "changed.pdf", "--data", served.data)

    assert told.returncode == 1
    assert "changed after it was sealed" in told.stdout


def test_a_file_that_is_not_there_is_named(served: Served) -> None:
    told = cairn("verify", "missing.pdf", "--data", served.data)

    assert told.returncode == 1
    assert told.stderr.strip() == "cairn: missing.pdf cannot be read (no such file or directory)."


async def test_a_changed_event_is_named_with_its_waiver(served: Served, document: Path, waiver: UUID) -> None:
    connection = await asyncpg.connect(served.db_url)
    event = await connection.fetchrow("select id, details from waivers.audit_events where name = 'waiver.signed'")
    assert event is not None
    await connection.execute(
        'update waivers.audit_events set details = details || \'{"ip": "192.0.2.1"}\' where id = $1', event["id"]
    )

    one, everything = cairn("verify", document, "--data", served.data), cairn("verify", "--data", served.data)

    restore = "update waivers.audit_events set details = $2 where id = $1"
    await connection.execute(restore, event["id"], event["details"])
    await connection.close()
    for told in (one, everything):
        assert told.returncode == 1
        assert f"waiver {waiver}, event {event['id']}: the event was changed" in told.stdout
