"""Implements `cairn restore`."""

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

from cairn.auth import signing_key_hash
from cairn.backup.concurrently import for_each
from cairn.backup.dump import load_dump
from cairn.backup.errors import (
    BackupDamaged,
    DatabaseNotEmpty,
    DataFolderNotEmpty,
    FilesNotEmpty,
    NoBackup,
    SecretDiffersFromBackup,
)
from cairn.backup.location import Location, open_location
from cairn.backup.manifest import DUMP, FILES, MANIFEST, SECRETS, Manifest, parse_manifest
from cairn.backup.sealed_secrets import BackupSecrets, decrypt_secrets
from cairn.db import Connection, connect
from cairn.kit import replace_file
from cairn.serve import database_urls, migrate_database
from cairn.settings import Settings, data_folder, load_settings
from cairn.storage import S3Settings, open_blob_store
from cairn.waivers import write_seal_files


async def restore(source: str, data: Path | None, passphrase: str, report: Callable[[str], None] = print) -> None:
    """Restores a backup into an empty data folder, and into the database and the blob store of the settings.

    The data folder appears only when everything is complete. The database is restored last, in one transaction.
    """
    target = data_folder(data)
    if target.exists() and any(target.iterdir()):
        raise DataFolderNotEmpty(folder=target)
    location = open_location(source, _s3_settings(), create=False)
    manifest, secrets = await _read_manifest(location, passphrase)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as unfinished:
        folder = Path(unfinished)
        replace_file(folder / "secrets.json", json.dumps(secrets.settings, indent=2).encode())
        # Backups of 0.1 contain the key of the seal as a file, which becomes a part of `secrets.json`.
        write_seal_files(folder, secrets.seal_files)
        settings = load_settings(data=folder)
        _refuse_other_secrets(settings, secrets)
        await _restore_files(location, manifest, settings)
        await _restore_database(location, manifest, settings)
        shutil.rmtree(folder / "socket", ignore_errors=True)
        _move(folder, target)
    report(f"Restored the backup of {manifest.created_at:%Y-%m-%d %H:%M} UTC into {target}. Start `cairn serve`.")


def _s3_settings() -> S3Settings:
    """The secrets of the backup are not known yet, so the settings are loaded with new ones in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        return load_settings(data=Path(folder)).storage.s3


async def _read_manifest(location: Location, passphrase: str) -> tuple[Manifest, BackupSecrets]:
    content = await location.read_small(MANIFEST)
    if content is None:
        raise NoBackup(source=location.name)
    manifest = parse_manifest(content)
    secrets = decrypt_secrets(await location.read_small(SECRETS) or b"", passphrase)
    if secrets.manifest_sha256 != manifest.sha256:
        raise BackupDamaged(name=MANIFEST, reason="is not the one that belongs to secrets.sealed")
    return manifest, secrets


def _refuse_other_secrets(settings: Settings, secrets: BackupSecrets) -> None:
    """Raises an error if variables override the restored secrets with others, which the database would refuse."""
    auth, storage = secrets.settings["auth"], secrets.settings["storage"]
    accepted = settings.secrets_with_stored_fingerprints
    restored = {
        "CAIRN_STORAGE__SEALING_KEY": storage["sealing_key"],
        "CAIRN_AUTH__JWT_SECRET": auth["jwt_secret"],
        "CAIRN_AUTH__SIGNING_KEY": signing_key_hash(auth["signing_key"]),
        "CAIRN_AUTH__SEALING_SECRET": auth.get("sealing_secret") or auth["jwt_secret"],
    }
    for name, secret in restored.items():
        if secret not in accepted[name]:
            raise SecretDiffersFromBackup(name=name)


async def _restore_files(location: Location, manifest: Manifest, settings: Settings) -> None:
    blob_store = open_blob_store(settings.storage, settings.data / "storage")
    if not await blob_store.is_empty():
        raise FilesNotEmpty(place=settings.storage.s3.bucket or settings.data)

    async def restore_file(name: str) -> None:
        content = location.read_checked(name, manifest.entries[name])
        await blob_store.write_stored(UUID(name.removeprefix(FILES)), content)

    await for_each([name for name in manifest.entries if name.startswith(FILES)], restore_file)


async def _restore_database(location: Location, manifest: Manifest, settings: Settings) -> None:
    dump = settings.data / DUMP
    with dump.open("wb") as file:
        async for chunk in location.read_checked(DUMP, manifest.entries[DUMP]):
            file.write(chunk)
    with database_urls(settings) as (admin_url, _):
        connection = await connect(admin_url)
        try:
            await _refuse_tables(connection)
            server_version = int(await connection.fetchval("show server_version_num"))
        finally:
            await connection.close()
        # The first call creates the roles. The second one upgrades the restored schema, and makes the stored
        # positions valid in this cluster (cairn/positions.py explains them).
        await migrate_database(settings, admin_url)
        await load_dump(admin_url, dump, server_version)
        await migrate_database(settings, admin_url)
    dump.unlink()


async def _refuse_tables(connection: Connection) -> None:
    if await connection.fetchval(
        """
        select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                        where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema')
        """
    ):
        raise DatabaseNotEmpty


def _move(folder: Path, target: Path) -> None:
    """Moves the complete folder to its place. An empty folder that is already there is used."""
    target.mkdir(mode=0o700, exist_ok=True)
    for path in folder.iterdir():
        path.rename(target / path.name)
