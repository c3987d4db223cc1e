"""M5: Cairn refuses secrets other than those that encrypted its data, unless the operator accepts the change.

M5 is a finding in docs/security.md.
"""

import shutil
from pathlib import Path

import asyncpg
import pytest

from cairn.db import ANON, Database, EmbeddedPostgres, check_secrets, migrate
from cairn.db.errors import SecretChanged
from cairn.doctor import examine
from cairn.settings import load_settings
from cairn.storage import new_sealing_key
from cairn.worker import run_worker
from tests.people import Person
from tests.serving import free_port, run_cairn

SECRETS = {"CAIRN_STORAGE__SEALING_KEY": ["first key"], "CAIRN_AUTH__SEALING_SECRET": ["first secret"]}


@pytest.mark.accept("SAFE-24")
def test_m5_lost_secrets_beside_a_database_are_reported_in_one_line(tmp_path: Path) -> None:
    run_cairn("migrate", "--data", tmp_path)
    (tmp_path / "secrets.json").unlink()

    result = run_cairn("serve", "--data", tmp_path, "--port", str(free_port()))

    [line] = result.stderr.splitlines()
    assert result.returncode == 1
    assert "Restore secrets.json from a backup" in line
    assert not (tmp_path / "secrets.json").exists()


@pytest.mark.accept("OPS-35")
def test_m5_new_secrets_with_an_old_database_are_reported_in_one_line(tmp_path: Path) -> None:
    run_cairn("migrate", "--data", tmp_path)
    run_cairn("keys", "--data", tmp_path / "other")
    shutil.copy(tmp_path / "other" / "secrets.json", tmp_path)

    results = [
        run_cairn("serve", "--data", tmp_path, "--port", str(free_port())),
        run_cairn("migrate", "--data", tmp_path),
    ]

    for result in results:
        [line] = result.stderr.splitlines()
        assert result.returncode == 1
        assert line.startswith("cairn: CAIRN_AUTH__SEALING_SECRET is not the secret with which this database")


async def test_m5_the_database_accepts_an_additional_secret_but_no_changed_one(admin_url: str) -> None:
    await migrate(admin_url, secrets=SECRETS)
    await migrate(admin_url, secrets={**SECRETS, "CAIRN_FUTURE__KEY": ["a key that a later version needs"]})

    for name in (*SECRETS, "CAIRN_FUTURE__KEY"):
        with pytest.raises(SecretChanged, match=name):
            await migrate(admin_url, secrets={**SECRETS, name: ["another"]})
    connection = await asyncpg.connect(admin_url)
    stored = await connection.fetch("select name, fingerprint from cairn.secret_fingerprints")
    await connection.close()
    assert len(stored) == 3
    assert not any("first" in row["fingerprint"] for row in stored)


@pytest.mark.accept("OPS-35")
async def test_m5_other_secrets_are_accepted_if_the_old_ones_are_lost(admin_url: str) -> None:
    other_secrets = {name: ["another"] for name in SECRETS}
    await migrate(admin_url, secrets=SECRETS)

    await migrate(admin_url, secrets=other_secrets, accept_other_secrets=True)

    await migrate(admin_url, secrets=other_secrets)
    with pytest.raises(SecretChanged):
        await migrate(admin_url, secrets=SECRETS)


@pytest.mark.accept("OPS-35")
async def test_m5_the_doctor_names_a_secret_that_is_not_the_one_of_the_database(
    admin_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAIRN_DATABASE__URL", admin_url)
    settings = load_settings(data=tmp_path)
    lines: list[str] = []
    await migrate(admin_url, secrets={"CAIRN_STORAGE__SEALING_KEY": [new_sealing_key()]})

    exit_code = await examine(settings, lines.append)

    assert exit_code == 1
    assert [line for line in lines if line.startswith("FAIL  secrets     CAIRN_STORAGE__SEALING_KEY is not ")]
    await migrate(admin_url, secrets=settings.secrets_with_stored_fingerprints, accept_other_secrets=True)
    await examine(settings, lines.append)
    assert [line for line in lines if line.startswith("ok    secrets ")]


@pytest.mark.accept("OPS-35")
async def test_m5_a_worker_with_other_secrets_does_not_start(admin_url: str, login_url: str, tmp_path: Path) -> None:
    await migrate(admin_url, secrets={"CAIRN_STORAGE__SEALING_KEY": [new_sealing_key()]})

    with pytest.raises(SecretChanged, match="CAIRN_STORAGE__SEALING_KEY"):
        await run_worker(load_settings(data=tmp_path), login_url, stop=None)  # type: ignore[arg-type] # never reached


async def test_only_the_server_reads_the_fingerprints(database: Database, mallory: Person) -> None:
    for principal in (ANON, mallory.principal):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(principal) as connection:
                await connection.fetch("select * from cairn.secret_fingerprints")


async def test_a_database_of_an_older_version_has_no_fingerprints_yet(cluster: EmbeddedPostgres) -> None:
    connection = await asyncpg.connect(cluster.url(database="postgres"))
    await check_secrets(connection, SECRETS)
    await connection.close()
