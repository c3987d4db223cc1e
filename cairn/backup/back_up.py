"""Implements `cairn backup`."""

from collections.abc import Callable, Sequence
from uuid import UUID

from cairn import __version__
from cairn.backup.concurrently import for_each
from cairn.backup.dump import dump_database
from cairn.backup.errors import BackupDamaged, BackupExists
from cairn.backup.location import Location, one_chunk, open_location, private_files
from cairn.backup.manifest import DUMP, FILES, MANIFEST, SECRETS, Entry, Manifest
from cairn.backup.sealed_secrets import BackupSecrets
from cairn.db import connect
from cairn.kit import now
from cairn.serve import database_urls
from cairn.settings import Settings
from cairn.storage import BlobStore, BytesMissing, open_blob_store, used_versions
from cairn.waivers import read_seal_files


async def back_up(settings: Settings, target: str, passphrase: str, report: Callable[[str], None] = print) -> None:
    """Writes a backup to `target`, reads it back, and reports only then that it is done. Cairn may be running."""
    with private_files():
        await _back_up(settings, target, passphrase, report)


async def _back_up(settings: Settings, target: str, passphrase: str, report: Callable[[str], None]) -> None:
    location = open_location(target, settings.storage.s3, create=True)
    if await location.read_small(MANIFEST) is not None:
        raise BackupExists(target=target)
    blob_store = open_blob_store(settings.storage, settings.data / "storage")
    with database_urls(settings) as (admin_url, _):
        dump, versions = await _dump(location, admin_url)
    files, missing = await _copy_files(location, blob_store, versions)
    manifest = Manifest(__version__, now(), {DUMP: dump, **files})
    secrets = BackupSecrets(settings.bundle, read_seal_files(settings.data), manifest.sha256)
    sealed_secrets = secrets.encrypted(passphrase)
    await location.write(SECRETS, one_chunk(sealed_secrets))
    if await location.read_small(SECRETS) != sealed_secrets:
        raise BackupDamaged(name=SECRETS, reason="does not match what was written")
    await _verify(location, manifest)
    await location.write(MANIFEST, one_chunk(manifest.to_json()))
    if missing:
        report(f"{missing} files were deleted while the backup was made, so it does not contain them.")
    report(f"The backup is complete: {len(files)} files, {manifest.total_bytes:,} bytes, read back and verified.")


async def _dump(location: Location, admin_url: str) -> tuple[Entry, Sequence[UUID]]:
    """Returns the dump, and the files to which the rows in the dump refer."""
    connection = await connect(admin_url)
    try:
        # pg_dump and the list of files see the same moment, because they share the snapshot of this transaction.
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            snapshot = await connection.fetchval("select pg_export_snapshot()")
            versions = await used_versions(connection)
            return await location.write(DUMP, dump_database(admin_url, snapshot)), versions
    finally:
        await connection.close()


async def _copy_files(
    location: Location, blob_store: BlobStore, versions: Sequence[UUID]
) -> tuple[dict[str, Entry], int]:
    """Copies the files as they are stored, so sealed ones stay encrypted. Also returns how many are gone by now."""

    async def copy(version: UUID) -> tuple[str, Entry] | None:
        try:
            return f"{FILES}{version}", await location.write(f"{FILES}{version}", blob_store.read_stored(version))
        except BytesMissing:
            return None

    copies = [copied for copied in await for_each(versions, copy) if copied is not None]
    return dict(copies), len(versions) - len(copies)


async def _verify(location: Location, manifest: Manifest) -> None:
    async def read_back(named_entry: tuple[str, Entry]) -> None:
        async for _ in location.read_checked(*named_entry):
            pass

    await for_each(manifest.entries.items(), read_back)
