"""7B1: no one can change a backup without its passphrase. 7B2: other users of the machine cannot read it.

7B3: after a restore, the operator can repeat the erasures that happened after the backup.

7B1, 7B2 and 7B3 are findings in docs/security.md.
"""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from stat import S_IMODE

import pytest

from cairn.accounts import guests_to_delete
from cairn.backup import back_up, restore
from cairn.backup.dump import dump_database
from cairn.backup.errors import BackupDamaged
from cairn.db import Connection, Database
from cairn.kit import now
from cairn.serve import migrate_database
from cairn.settings import load_settings
from tests.factories import make_session, sign
from tests.people import Person
from tests.structure.tree import ROOT
from tests.waiting import PATIENCE_SECONDS
from tests.waivers.acts import erase

PASSPHRASE = "a long passphrase for the tests"


async def test_7b1_7b2_a_backup_is_private_while_it_is_written_and_its_time_and_version_cannot_be_changed(
    admin_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAIRN_DATABASE__URL", admin_url)
    settings = load_settings(data=tmp_path / "data")
    await migrate_database(settings, admin_url)
    backup, modes_while_written = tmp_path / "backup", set[int]()
    backup.mkdir()
    backup.chmod(0o755)

    async def watched_dump(url: str, snapshot: str) -> AsyncIterator[bytes]:
        async for chunk in dump_database(url, snapshot):
            yield chunk
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not list(backup.iterdir()):  # noqa: ASYNC110 - another library creates the file
                await asyncio.sleep(0.01)
        modes_while_written.update(modes_in(backup))

    monkeypatch.setitem(back_up.__globals__, "dump_database", watched_dump)
    previous_umask = os.umask(0o022)
    try:
        await back_up(settings, str(backup), PASSPHRASE)
    finally:
        umask_afterwards = os.umask(previous_umask)

    assert modes_while_written == modes_in(backup) == {0o600}
    assert umask_afterwards == 0o022

    manifest = (backup / "manifest.json").read_text()
    for changed in (
        manifest.replace(f'"created_at": "{now().year}', f'"created_at": "{now().year + 1}'),
        manifest.replace('"version": "', '"version": "9'),
    ):
        assert changed != manifest
        (backup / "manifest.json").write_text(changed)
        with pytest.raises(BackupDamaged):
            await restore(str(backup), tmp_path / "restored", PASSPHRASE)


def modes_in(folder: Path) -> set[int]:
    return {S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("url", "url_without_password", "password"),
    [
        ("postgresql://owner:p%40ss@db/cairn", "postgresql://owner@db/cairn", "p@ss"),
        ("postgresql://owner@db/cairn?password=p%40s+s", "postgresql://owner@db/cairn", "p@s s"),
        (
            "postgresql://owner@db/cairn?sslmode=require&p%61ssword=secret&host=%2Frun",
            "postgresql://owner@db/cairn?sslmode=require&host=%2Frun",
            "secret",
        ),
        ("postgresql://owner:first@db/cairn?password=second", "postgresql://owner@db/cairn", "first"),
        ("postgresql:///cairn?user=owner&password=secret", "postgresql:///cairn?user=owner", "secret"),
        ("postgresql://owner@db/cairn", "postgresql://owner@db/cairn", ""),
    ],
)
async def test_7b2_the_password_of_the_database_is_in_no_argument_of_pg_dump(
    url: str, url_without_password: str, password: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "pg_dump"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@" "$PGPASSWORD"\n')
    program.chmod(0o700)
    monkeypatch.setattr("cairn.backup.dump.postgres_program", lambda _name: program)
    monkeypatch.delenv("PGPASSWORD", raising=False)

    output = b"".join([chunk async for chunk in dump_database(url, "a snapshot")]).decode()

    assert output.splitlines()[-2:] == [f"--dbname={url_without_password}", password]


async def test_7b3_the_statements_for_repeating_erasures_after_a_restore_work(
    database: Database, admin: Connection, rosa: Person, gil: Person
) -> None:
    documentation = (ROOT / "docs" / "operations.md").read_text()
    [query] = re.findall(r"`(select company_id, id, erased_at [^`]+)`", documentation)
    [deletion] = re.findall(r"`(update profiles set delete_at [^`]+)`", documentation)
    waiver = await sign(database, await make_session(database, rosa))
    await sign(database, await make_session(database, rosa))
    await erase(database, rosa, waiver["id"])

    [erased] = await admin.fetch(re.sub(r"'[-: Z\d]+'", "now() - interval '1 hour'", query))
    await admin.execute(deletion.replace("…", str(gil.id)))

    assert (erased["company_id"], erased["id"]) == (rosa.company_id, waiver["id"])
    assert await guests_to_delete(admin, now()) == [gil.id]
