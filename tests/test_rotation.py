"""Each secret can be rotated, and what the old one encrypted, signed or sealed stays readable and valid."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from cairn.auth import BadToken, Keyring
from cairn.db import Connection
from cairn.db.errors import SecretChanged
from cairn.kit import DecryptionFailed, now
from cairn.messaging import provider_key_box
from cairn.secret_bundle import ROTATIONS, SecretInVariable, complete_bundle, rotate_secret
from cairn.serve import migrate_database
from cairn.settings import Settings, load_settings
from cairn.storage import open_blob_store
from cairn.storage.errors import ReadFailed
from cairn.waivers import known_certificates, load_seal, store_certificates

pytestmark = pytest.mark.accept("OPS-36")

ROTATED_SETTINGS = {
    "jwt-secret": ("auth", "jwt_secret"),
    "signing-key": ("auth", "signing_key"),
    "sealing-secret": ("auth", "sealing_secret"),
    "login-password": ("database", "login_password"),
    "storage-key": ("storage", "sealing_key"),
    "push-key": ("push", "private_key"),
    "seal-key": ("documents", "seal_key"),
}
# The database has fingerprints of these secrets. Others may change without a rotation: for example, the login password
# is set at each start.
WITH_STORED_FINGERPRINTS = ("jwt-secret", "signing-key", "sealing-secret", "storage-key")


def rotated(settings: Settings, *names: str) -> Settings:
    for name in names:
        assert rotate_secret(settings, name) is None
    return load_settings(data=settings.data)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data=tmp_path / "data")


@pytest.mark.parametrize("name", ROTATIONS)
def test_a_rotation_replaces_only_its_secret(settings: Settings, name: str) -> None:
    package, secret_name = ROTATED_SETTINGS[name]

    new = rotated(settings, name).bundle
    old = settings.bundle

    assert new[package][secret_name] != old[package].get(secret_name)
    # The sealing secret is not compared: a bundle has none until it or the JWT secret is rotated for the first time.
    for other_package, other_name in set(ROTATED_SETTINGS.values()) - {
        ("auth", "sealing_secret"),
        (package, secret_name),
    }:
        assert new[other_package][other_name] == old[other_package][other_name]
    assert (settings.data / "secrets.json").stat().st_mode & 0o077 == 0


async def test_a_server_starts_with_rotated_secrets_and_then_no_longer_with_the_old_ones(
    settings: Settings, admin_url: str
) -> None:
    await migrate_database(settings, admin_url)

    for name in ROTATIONS:
        new_settings = rotated(settings, name)
        await migrate_database(settings, admin_url)
        await migrate_database(new_settings, admin_url)
        if name in WITH_STORED_FINGERPRINTS:
            with pytest.raises(SecretChanged, match=ROTATED_SETTINGS[name][1].upper()):
                await migrate_database(settings, admin_url)
        settings = new_settings


async def test_all_secrets_can_be_rotated_twice_in_a_row(settings: Settings, admin_url: str) -> None:
    await migrate_database(settings, admin_url)

    await migrate_database(rotated(settings, *ROTATIONS, *ROTATIONS), admin_url)


async def test_files_of_a_retired_storage_key_stay_readable(settings: Settings, tmp_path: Path) -> None:
    old_version, new_version = uuid4(), uuid4()
    await write_file(settings, old_version, tmp_path)
    new_settings = rotated(settings, "storage-key")
    await write_file(new_settings, new_version, tmp_path)

    assert await read_file(new_settings, old_version, tmp_path) == b"%PDF"
    assert await read_file(new_settings, new_version, tmp_path) == b"%PDF"
    with pytest.raises(ReadFailed):
        await read_file(settings, new_version, tmp_path)


async def write_file(settings: Settings, version: UUID, folder: Path) -> None:
    async def content() -> AsyncIterator[bytes]:
        yield b"%PDF"

    await open_blob_store(settings.storage, folder / "files").write(version, content(), sealed=True)


async def read_file(settings: Settings, version: UUID, folder: Path) -> bytes:
    chunks = await open_blob_store(settings.storage, folder / "files").read(version, 0, 4, size=4, sealed=True)
    return b"".join([chunk async for chunk in chunks])


@pytest.mark.parametrize("names", [("jwt-secret",), ("sealing-secret",), ("sealing-secret", "jwt-secret")])
def test_stored_secrets_of_a_retired_sealing_secret_stay_readable(settings: Settings, names: tuple[str, ...]) -> None:
    encrypted = provider_key_box(settings.sealing_secret).encrypt("a provider key")

    new = rotated(settings, *names)
    box = provider_key_box(new.sealing_secret, new.auth.retired_sealing_values)

    assert box.decrypt(encrypted) == "a provider key"
    if "sealing-secret" in names:
        with pytest.raises(DecryptionFailed):
            provider_key_box(settings.sealing_secret).decrypt(box.encrypt("a newer key"))


def test_api_keys_of_a_retired_jwt_secret_are_accepted(settings: Settings) -> None:
    old_key = Keyring(settings.auth).service_key
    new_settings = rotated(settings, "jwt-secret").auth

    assert Keyring(new_settings).principal(old_key).role == "service_role"
    assert Keyring(new_settings).service_key != old_key
    with pytest.raises(BadToken):
        Keyring(new_settings.model_copy(update={"retired_jwt_secrets": ()})).principal(old_key)
    with pytest.raises(BadToken):
        Keyring(settings.auth).principal(Keyring(new_settings).service_key)


def test_access_tokens_of_a_retired_signing_key_are_accepted(settings: Settings) -> None:
    token = Keyring(settings.auth).access_token({"sub": str(uuid4())}, now())

    assert Keyring(rotated(settings, "signing-key").auth).principal(token).user_id is not None


async def test_the_next_start_sets_the_new_login_password(
    settings: Settings, admin_url: str, admin: Connection
) -> None:
    stored_password = "select rolpassword from pg_authid where rolname = 'authenticator'"
    await migrate_database(settings, admin_url)
    old_password = await admin.fetchval(stored_password)

    await migrate_database(rotated(settings, "login-password"), admin_url)

    assert await admin.fetchval(stored_password) != old_password


def test_documents_of_a_retired_seal_stay_valid_on_a_machine_without_a_disk(settings: Settings, tmp_path: Path) -> None:
    old_seal = load_seal(settings.data, settings.documents)
    new_settings = rotated(settings, "seal-key", "storage-key")

    store_certificates(tmp_path / "new machine", new_settings.documents)

    assert load_seal(tmp_path / "new machine", new_settings.documents).fingerprint != old_seal.fingerprint
    assert old_seal.certificate in known_certificates(tmp_path / "new machine")


def test_a_bundle_in_a_variable_is_printed_and_not_stored(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = complete_bundle(settings)
    monkeypatch.setenv("CAIRN_SECRETS", json.dumps(bundle))
    machine_settings = load_settings(data=tmp_path / "machine")

    new_bundle = rotate_secret(machine_settings, "storage-key")

    assert new_bundle is not None
    assert new_bundle["storage"]["retired_sealing_keys"] == [bundle["storage"]["sealing_key"]]
    assert not (tmp_path / "machine" / "secrets.json").exists()
    monkeypatch.setenv("CAIRN_SECRETS", json.dumps(new_bundle))
    new_settings = load_settings(data=tmp_path / "machine")
    assert new_settings.storage.sealing_keys[1:] == machine_settings.storage.sealing_keys


def test_a_secret_in_a_variable_of_its_own_is_not_rotated(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = (settings.data / "secrets.json").read_bytes()
    monkeypatch.setenv("CAIRN_AUTH__RETIRED_KEYS", "[]")

    with pytest.raises(SecretInVariable, match="CAIRN_AUTH__RETIRED_KEYS"):
        rotate_secret(settings, "signing-key")

    assert (settings.data / "secrets.json").read_bytes() == stored
