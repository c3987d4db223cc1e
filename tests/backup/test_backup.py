"""A backup made while Cairn runs is complete, and a restored Cairn goes on where it was."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from cairn.audit import audit
from cairn.auth import new_signing_key
from cairn.backup import back_up, restore
from cairn.backup.errors import (
    BackupDamaged,
    BackupExists,
    DatabaseNotEmpty,
    DataFolderNotEmpty,
    NoBackup,
    PassphraseWrong,
    SecretDiffersFromBackup,
)
from cairn.db import SERVICE, Connection, Database, EmbeddedPostgres
from cairn.jobs import OutboxNotifier
from cairn.kit import Problem
from cairn.messaging import MessagingSettings
from cairn.open_services import open_documents
from cairn.secret_bundle import rotate_secret
from cairn.serve import database_urls, migrate_database
from cairn.settings import Settings, load_settings
from cairn.storage import ObjectStorage, new_sealing_key, open_blob_store
from cairn.waivers import DocumentContext, load_seal
from cairn.waivers.documents import prepare_document
from tests.factories import make_session, sign
from tests.mail_server import MailServer, running_mail_server
from tests.people import Person
from tests.running_worker import worker_running
from tests.storage.s3 import keys_in, read_object, s3_server, s3_settings
from tests.waiting import PATIENCE_SECONDS, wait_until_true

PASSPHRASE = "a long passphrase for the tests"


def documents_of(settings: Settings, database: Database) -> DocumentContext:
    blob_store = open_blob_store(settings.storage, settings.data / "storage")
    storage = ObjectStorage(database, blob_store, settings.storage)
    return open_documents(settings, storage)


@pytest_asyncio.fixture
async def settings(admin_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings of a server that uses the test's database."""
    monkeypatch.setenv("CAIRN_DATABASE__URL", admin_url)
    settings = load_settings(data=tmp_path / "data")
    await migrate_database(settings, admin_url)
    return settings


@pytest_asyncio.fixture
async def document(settings: Settings, database: Database, rosa: Person) -> None:
    """Gil has signed a waiver, whose document is sealed and stored."""
    waiver = await sign(database, await make_session(database, rosa))
    seal = load_seal(settings.data, settings.documents)
    await prepare_document(database, documents_of(settings, database), seal, waiver["id"])


@pytest_asyncio.fixture
async def _empty_database(
    cluster: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> AsyncIterator[None]:
    """Creates another database, into which a backup is restored.

    The fixture `settings` comes first, because settings must be loaded before the variable is changed.
    """
    assert settings.database.url is not None
    connection = await asyncpg.connect(cluster.url(database="postgres"))
    await connection.execute("create database restored")
    monkeypatch.setenv("CAIRN_DATABASE__URL", cluster.url(database="restored"))
    yield
    await connection.execute("drop database restored with (force)")
    await connection.close()


@pytest.fixture(scope="module")
def s3_port() -> Iterator[int]:
    with s3_server() as port:
        yield port


async def sign_and_seal(settings: Settings, database: Database, rosa: Person) -> None:
    """Signs waivers and stores their documents until it is cancelled."""
    documents, seal = documents_of(settings, database), load_seal(settings.data, settings.documents)
    while True:
        waiver = await sign(database, await make_session(database, rosa))
        await prepare_document(database, documents, seal, waiver["id"])


@asynccontextmanager
async def worker_of(
    settings: Settings, database: Database, login_url: str, mail_server: MailServer
) -> AsyncIterator[None]:
    mail, documents = MessagingSettings(smtp=mail_server.settings), documents_of(settings, database)
    async with (
        OutboxNotifier(login_url) as notifier,
        worker_running(database, login_url, notifier, mail=mail, documents=documents),
    ):
        yield


async def send_email(database: Database, subject: str) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            "insert into emails (recipient, subject, body) values ('gil@example.com', $1, 'Hello')", subject
        )


async def wait_for_email(mail_server: MailServer, subject: str) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while subject not in [email["subject"] for email in mail_server.emails]:  # noqa: ASYNC110 - appended by a callback
            await asyncio.sleep(0.05)


@pytest.mark.accept("OPS-03", "OPS-04")
@pytest.mark.usefixtures("document")
async def test_a_restored_server_goes_on_and_sends_nothing_twice(
    settings: Settings,
    database: Database,
    admin: Connection,
    login_url: str,
    rosa: Person,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The backup is restored into an embedded PostgreSQL, whose transaction counter is far behind the stored ids."""
    async with running_mail_server() as mail_server:
        async with worker_of(settings, database, login_url, mail_server):
            await send_email(database, "before the backup")
            await wait_for_email(mail_server, "before the backup")
            await wait_until_true(admin, "select not exists (select from emails where status = 'sending')")
            await wait_until_true(admin, "select exists (select from notifications)")
        await send_email(database, "waiting")
        await admin.execute("update jobs.events set xid = (xid::text::bigint + 500000000)::text::xid8")
        await admin.execute("update jobs.readers set xid = (xid::text::bigint + 500000000)::text::xid8")

        await back_up(settings, str(tmp_path / "backup"), PASSPHRASE)
        monkeypatch.delenv("CAIRN_DATABASE__URL")
        await restore(str(tmp_path / "backup"), tmp_path / "restored", PASSPHRASE)

        restored = load_settings(data=tmp_path / "restored")
        assert await audit(restored, None, None) == 0
        with database_urls(restored) as (new_admin_url, new_login_url):
            new_admin = await asyncpg.connect(new_admin_url)
            async with (
                Database(new_login_url) as new_database,
                worker_of(restored, new_database, new_login_url, mail_server),
            ):
                await sign(new_database, await make_session(new_database, rosa))
                await send_email(new_database, "after the restore")
                await wait_for_email(mail_server, "after the restore")
                await wait_until_true(new_admin, "select count(*) = 2 from notifications")
                await wait_until_true(new_admin, "select not exists (select from emails where status = 'sending')")
            await new_admin.close()

    message_ids = [email["message-id"] for email in mail_server.emails]
    assert len(message_ids) == len(set(message_ids))
    assert {"before the backup", "waiting", "after the restore"} <= {email["subject"] for email in mail_server.emails}


@pytest.mark.accept("OPS-03", "OPS-04", "OPS-06")
@pytest.mark.usefixtures("document", "_empty_database")
async def test_a_backup_moves_files_and_database_through_s3_to_another_postgresql(
    settings: Settings,
    database: Database,
    rosa: Person,
    s3_port: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    s3 = {"ENDPOINT": f"http://127.0.0.1:{s3_port}", "ACCESS_KEY_ID": "key", "SECRET_ACCESS_KEY": "secret"}
    for name, value in s3.items():
        monkeypatch.setenv(f"CAIRN_STORAGE__S3__{name}", value)
    # The bucket for files is not set, so they are in the data folder.
    source = settings.model_copy(
        update={
            "storage": settings.storage.model_copy(
                update={"s3": s3_settings(s3_port).s3.model_copy(update={"bucket": None})}
            )
        }
    )

    async with asyncio.TaskGroup() as group:
        signing = group.create_task(sign_and_seal(settings, database, rosa))
        await back_up(source, "s3://cairn/backups/monday", PASSPHRASE)
        signing.cancel()
    await restore("s3://cairn/backups/monday", tmp_path / "restored", PASSPHRASE)

    assert await audit(load_settings(data=tmp_path / "restored"), None, None) == 0
    names = keys_in(s3_port)
    assert {name.removeprefix("backups/monday/").partition("/")[0] for name in names} == {
        "manifest.json", "database.dump", "secrets.sealed", "files",
    }  # fmt: skip
    secrets = [secret.encode() for group in settings.bundle.values() for secret in group.values()]
    contents = [read_object(s3_port, name) for name in names]
    assert not any(secret in content for secret in secrets for content in contents)
    assert not any(b"%PDF" in content for name, content in zip(names, contents, strict=True) if "/files/" in name)


@pytest.mark.accept("OPS-05")
@pytest.mark.usefixtures("document", "_empty_database")
async def test_a_damaged_backup_and_a_target_that_is_not_empty_are_refused(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup, target = tmp_path / "backup", tmp_path / "restored"

    async def refusal(passphrase: str = PASSPHRASE, data: Path = target) -> type[Problem]:
        with pytest.raises(Problem) as refused:
            await restore(str(backup), data, passphrase)
        assert not target.exists()
        return refused.type

    assert await refusal() is NoBackup
    await back_up(settings, str(backup), PASSPHRASE)
    with pytest.raises(BackupExists):
        await back_up(settings, str(backup), PASSPHRASE)

    assert await refusal("another passphrase") is PassphraseWrong
    assert await refusal(data=settings.data) is DataFolderNotEmpty
    for variable, secret in {
        "CAIRN_STORAGE__SEALING_KEY": new_sealing_key(),
        "CAIRN_AUTH__SIGNING_KEY": new_signing_key(),
        "CAIRN_AUTH__JWT_SECRET": "x" * 32,
        "CAIRN_AUTH__SEALING_SECRET": "x" * 32,
    }.items():
        with monkeypatch.context() as environment:
            environment.setenv(variable, secret)
            assert await refusal() is SecretDiffersFromBackup
    with monkeypatch.context() as environment:
        # A secret that was rotated after the backup is accepted, because the bundle still contains the old one. So the
        # next check refuses the restore. The first of these lines tells `rotate_secret` to read this variable.
        environment.setenv("CAIRN_SECRETS", json.dumps(settings.bundle))
        environment.setenv("CAIRN_SECRETS", json.dumps(rotate_secret(settings, "storage-key")))
        environment.setenv("CAIRN_DATABASE__URL", settings.database.url.get_secret_value())  # type: ignore[union-attr]
        assert await refusal() is DatabaseNotEmpty

    manifest = (backup / "manifest.json").read_text()
    (backup / "manifest.json").write_text(manifest.replace('"size": ', '"size": 1'))
    assert await refusal() is BackupDamaged
    (backup / "manifest.json").write_text(manifest)
    [file] = (backup / "files").iterdir()
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert await refusal() is BackupDamaged
    file.unlink()
    assert await refusal() is BackupDamaged
    file.write_bytes(content)

    await restore(str(backup), target, PASSPHRASE)
    assert await audit(load_settings(data=target), None, None) == 0
