"""`cairn verify` checks documents and the audit history."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import asyncpg
import httpx
import pytest

from tests.factories import DOCUMENT_SECRET, SAMPLE_TEMPLATE_ID, signature_data_url
from tests.serving import RunningServer, run_cairn, serving

# Each download waits up to five seconds for the worker, which takes longer to start on a busy machine.
MAX_DOWNLOADS = 12


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with serving(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def waiver_id(server: RunningServer) -> UUID:
    """Signs a waiver without an account, through the public API, and returns its id."""
    headers = {
        "apikey": server.anon_key,
        "Prefer": "return=representation",
        "Accept": "application/vnd.pgrst.object+json",
    }
    with httpx.Client(base_url=server.url, headers=headers) as client:
        session = client.post(
            "/rest/v1/waiver_sessions", json={"template_id": SAMPLE_TEMPLATE_ID, "status": "pending"}
        ).json()
        row = {
            "session_id": session["id"], "signer_name": "Gil Okafor", "signer_email": "gil@example.com",
            "signature": signature_data_url(), "document_secret": DOCUMENT_SECRET,
        }  # fmt: skip
        return UUID(client.post("/rest/v1/signed_waivers", json=row).json()["id"])


@pytest.fixture(scope="module")
def document(server: RunningServer, waiver_id: UUID, tmp_path_factory: pytest.TempPathFactory) -> Path:
    headers = {"apikey": server.anon_key, "Authorization": f"Bearer {server.anon_key}"}
    parameters = {"waiver_id": str(waiver_id), "secret": DOCUMENT_SECRET}
    url = f"{server.url}/functions/v1/waiver-document"
    for _ in range(MAX_DOWNLOADS):
        response = httpx.post(url, json=parameters, headers=headers, timeout=20)
        if response.status_code != httpx.codes.ACCEPTED:
            break
    assert response.headers["content-type"] == "application/pdf", response.text
    file = tmp_path_factory.mktemp("download") / "waiver.pdf"
    file.write_bytes(response.content)
    return file


def test_an_unchanged_document_is_confirmed(server: RunningServer, document: Path, waiver_id: UUID) -> None:
    result = run_cairn("verify", document, "--data", server.data)

    assert result.returncode == 0, result.stderr
    assert "it is unchanged" in result.stdout
    assert str(waiver_id) in result.stdout
    assert "no external timestamp" in result.stdout
    assert "The database holds the same document." in result.stdout
    assert "The history is intact." in result.stdout


def test_the_head_that_covers_the_history_is_shown(server: RunningServer, document: Path) -> None:
    result = run_cairn("verify", document, "--data", server.data)

    assert "head      number " in result.stdout
    assert "no external timestamp" in result.stdout.splitlines()[-1]


@pytest.mark.usefixtures("document")
def test_the_audit_of_a_running_server_finds_nothing_wrong(server: RunningServer) -> None:
    result = run_cairn("audit", "--data", server.data)

    assert result.returncode == 0, result.stdout + result.stderr
    assert "Waivers without a company: 1 session, 1 signed waiver, " in result.stdout
    assert "Nothing is wrong" in result.stdout


def test_an_audit_of_an_unknown_company_or_file_is_refused(server: RunningServer) -> None:
    company = "00000000-0000-4000-8000-000000000000"

    unknown_company = run_cairn("audit", "--company", company, "--data", server.data)
    missing_file = run_cairn("audit", "--heads", "missing.json", "--data", server.data)

    assert unknown_company.stderr.strip() == f"cairn: There is no company {company} with waivers."
    assert missing_file.stderr.strip() == "cairn: missing.json cannot be read (no such file or directory)."


def test_a_document_is_verified_offline_and_with_only_the_certificate(
    server: RunningServer, document: Path, tmp_path: Path
) -> None:
    [certificate] = (server.data / "seal").glob("*.crt")

    offline = run_cairn("verify", document, "--offline", "--data", server.data)
    certificate_only = run_cairn("verify", document, "--certificate", certificate, "--data", tmp_path / "missing")

    assert (offline.returncode, certificate_only.returncode) == (0, 0), offline.stderr + certificate_only.stderr
    assert not (tmp_path / "missing").exists()


def test_a_changed_byte_is_reported(server: RunningServer, document: Path, tmp_path: Path) -> None:
    content = bytearray(document.read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "changed.pdf").write_bytes(content)

    result = run_cairn("verify", tmp_path / "changed.pdf", "--data", server.data)

    assert result.returncode == 1
    assert "changed after it was sealed" in result.stdout


def test_a_missing_file_is_reported(server: RunningServer) -> None:
    result = run_cairn("verify", "missing.pdf", "--data", server.data)

    assert result.returncode == 1
    assert result.stderr.strip() == "cairn: missing.pdf cannot be read (no such file or directory)."


async def test_a_changed_audit_event_is_reported_with_its_waiver(
    server: RunningServer, document: Path, waiver_id: UUID
) -> None:
    connection = await asyncpg.connect(server.db_url)
    event = await connection.fetchrow("select id, details from waivers.audit_events where name = 'waiver.signed'")
    assert event is not None
    await connection.execute(
        'update waivers.audit_events set details = details || \'{"ip": "192.0.2.1"}\' where id = $1', event["id"]
    )

    for_document, for_all = (
        run_cairn("verify", document, "--data", server.data),
        run_cairn("verify", "--data", server.data),
    )

    restore = "update waivers.audit_events set details = $2 where id = $1"
    await connection.execute(restore, event["id"], event["details"])
    await connection.close()
    for result in (for_document, for_all):
        assert result.returncode == 1
        assert f"waiver {waiver_id}, event {event['id']}: the event was changed" in result.stdout
