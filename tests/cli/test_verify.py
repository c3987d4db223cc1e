"""`cairn verify`."""

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
    """Signed by a guest without an account, through the public API."""
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
    response = httpx.post(
        f"{served.url}/functions/v1/waiver-document", json={"waiver_id": str(waiver)}, headers=headers, timeout=20
    )
    assert response.headers["content-type"] == "application/pdf", response.text
    file = tmp_path_factory.mktemp("download") / "waiver.pdf"
    file.write_bytes(response.content)
    return file


def test_an_unchanged_document_is_confirmed(served: Served, document: Path, waiver: UUID) -> None:
    result = cairn("verify", document, "--data", served.data)

    assert result.returncode == 0, result.stderr
    assert "it is unchanged" in result.stdout
    assert str(waiver) in result.stdout
    assert "no external timestamp" in result.stdout
    assert "The database holds the same document." in result.stdout
    assert "The history is intact." in result.stdout


def test_a_document_is_verified_offline_and_with_only_the_certificate(
    served: Served, document: Path, tmp_path: Path
) -> None:
    [certificate] = (served.data / "seal").glob("*.crt")

    offline = cairn("verify", document, "--offline", "--data", served.data)
    certificate_only = cairn("verify", document, "--certificate", certificate, "--data", tmp_path / "missing")

    assert (offline.returncode, certificate_only.returncode) == (0, 0), offline.stderr + certificate_only.stderr
    assert not (tmp_path / "missing").exists()


def test_a_changed_byte_is_reported(served: Served, document: Path, tmp_path: Path) -> None:
    changed = bytearray(document.read_bytes())
    changed[len(changed) // 2] ^= 1
    (tmp_path / "changed.pdf").write_bytes(changed)

    result = cairn("verify", tmp_path / "changed.pdf", "--data", served.data)

    assert result.returncode == 1
    assert "changed after it was sealed" in result.stdout


def test_a_missing_file_is_reported(served: Served) -> None:
    result = cairn("verify", "missing.pdf", "--data", served.data)

    assert result.returncode == 1
    assert result.stderr.strip() == "cairn: missing.pdf cannot be read (no such file or directory)."


async def test_a_changed_audit_event_is_reported_with_its_waiver(served: Served, document: Path, waiver: UUID) -> None:
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
    for result in (one, everything):
        assert result.returncode == 1
        assert f"waiver {waiver}, event {event['id']}: the event was changed" in result.stdout
