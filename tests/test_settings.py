"""Secrets are generated once, stored in the data folder, and never replaced.

M5 is a finding in docs/security.md.
"""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cairn.cli import main
from cairn.generated_secrets import SecretsMissing, SecretsVariableInvalid
from cairn.settings import load_settings
from cairn.storage import new_sealing_key
from cairn.waivers import known_certificates, load_seal, new_seal_key, store_certificates
from tests.seals import document_settings
from tests.serving import environment


def test_a_data_folder_of_an_older_version_gets_new_secrets_and_keeps_the_old_ones(tmp_path: Path) -> None:
    path, older_secrets = write_secrets_of_an_older_version(tmp_path)

    settings = load_settings(data=tmp_path)

    completed_secrets = json.loads(path.read_text())
    assert completed_secrets["storage"]["sealing_key"] == settings.storage.sealing_key.get_secret_value()
    assert {package: completed_secrets[package] for package in older_secrets} == older_secrets
    assert path.stat().st_mode & 0o777 == 0o600
    assert load_settings(data=tmp_path).storage == settings.storage, "generated only once"


def test_processes_that_start_at_the_same_time_agree_on_the_new_secrets(tmp_path: Path) -> None:
    write_secrets_of_an_older_version(tmp_path)
    program = (
        "import sys; from cairn.settings import load_settings; "
        "print(load_settings(data=sys.argv[1]).storage.sealing_key.get_secret_value())"
    )

    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)],
            stdout=subprocess.PIPE, text=True, env=environment(PYTHONPATH=os.pathsep.join(sys.path)),
        )
        for _ in range(4)
    ]  # fmt: skip

    assert len({process.communicate(timeout=60)[0] for process in processes}) == 1


@pytest.mark.parametrize("folder_with_data", ["postgres", "storage", "seal"])
def test_m5_lost_secrets_are_not_replaced_if_there_is_already_data(tmp_path: Path, folder_with_data: str) -> None:
    (tmp_path / folder_with_data).mkdir()

    with pytest.raises(SecretsMissing, match=r"secrets\.json from a backup"):
        load_settings(data=tmp_path)

    assert not (tmp_path / "secrets.json").exists()


def test_m5_secrets_in_the_environment_need_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = json.loads(write_secrets_of_an_older_version(tmp_path / "elsewhere")[0].read_text())
    secrets["storage"] = {"sealing_key": new_sealing_key()}
    for package, names in secrets.items():
        for name, secret in names.items():
            monkeypatch.setenv(f"CAIRN_{package}__{name}".upper(), secret)
    (tmp_path / "storage").mkdir()

    settings = load_settings(data=tmp_path)

    assert settings.storage.sealing_key.get_secret_value() == secrets["storage"]["sealing_key"]


@pytest.mark.parametrize("proxies", ["", "*", "10.0.0.5, 10.1.0.0/16", "::1,fd00::/8"])
def test_proxies_are_addresses_networks_or_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxies: str) -> None:
    monkeypatch.setenv("CAIRN_TRUSTED_PROXIES", proxies)

    assert load_settings(data=tmp_path).trusted_proxies == proxies


@pytest.mark.accept("OPS-34")
def test_the_seal_of_an_older_version_becomes_a_part_of_the_secrets(tmp_path: Path) -> None:
    """Versions before 0.2 stored the key of the seal in a file of its own."""
    seal_key = new_seal_key()
    path, secrets = write_secrets_of_an_older_version(tmp_path)
    del secrets["documents"]
    path.write_text(json.dumps(secrets))
    (tmp_path / "seal").mkdir()
    (tmp_path / "seal" / "own.pem").write_text(seal_key)

    settings = load_settings(data=tmp_path)

    assert settings.documents.seal_key.get_secret_value() == seal_key
    assert json.loads(path.read_text())["documents"] == {"seal_key": seal_key}
    assert not (tmp_path / "seal" / "own.pem").exists(), "the key is in one place"
    assert load_settings(data=tmp_path).bundle == settings.bundle


@pytest.mark.accept("OPS-34")
@pytest.mark.parametrize("encode", [str, lambda bundle: base64.b64encode(bundle.encode()).decode()])
def test_one_variable_contains_all_secrets_of_a_machine_without_a_disk(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    encode: Callable[[str], str],
) -> None:
    original = load_settings(data=tmp_path / "original")
    # A seal with another key, which this data folder used before.
    replaced_seal = load_seal(tmp_path / "original", document_settings())
    with pytest.raises(SystemExit):
        main(["keys", "--bundle", "--data", str(tmp_path / "original")])
    printed = capsys.readouterr()
    monkeypatch.setenv("CAIRN_SECRETS", encode(printed.out))

    for name in ("one", "two"):
        settings = load_settings(data=tmp_path / name)
        store_certificates(tmp_path / name, settings.documents)

        assert settings.bundle == json.loads(printed.out)
        assert settings.secrets_with_stored_fingerprints == original.secrets_with_stored_fingerprints
        assert settings.documents.seal_key == original.documents.seal_key
        assert replaced_seal.certificate in known_certificates(tmp_path / name)
        assert not (tmp_path / name / "secrets.json").exists()
    assert printed.err.startswith("cairn: These are all secrets")


@pytest.mark.accept("OPS-34")
def test_a_secret_that_is_missing_in_the_bundle_can_be_set_by_its_own_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = load_settings(data=tmp_path / "original").bundle
    sealing_key = new_sealing_key()
    monkeypatch.setenv("CAIRN_SECRETS", json.dumps({**bundle, "storage": {}}))

    with pytest.raises(SecretsVariableInvalid, match=r"does not contain storage\.sealing_key"):
        load_settings(data=tmp_path / "one")
    monkeypatch.setenv("CAIRN_STORAGE__SEALING_KEY", sealing_key)

    settings = load_settings(data=tmp_path / "one")

    assert settings.storage.sealing_key.get_secret_value() == sealing_key
    assert settings.bundle == {**bundle, "storage": {"sealing_key": sealing_key}}


def write_secrets_of_an_older_version(data: Path) -> tuple[Path, dict[str, Any]]:
    """Writes secrets without those of the storage package; returns the file and its content."""
    load_settings(data=data)
    path = data / "secrets.json"
    secrets = json.loads(path.read_text())
    del secrets["storage"]
    path.write_text(json.dumps(secrets))
    return path, secrets
