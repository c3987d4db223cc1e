"""Secrets are generated once, stored in the data folder, and never replaced."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cairn.generated_secrets import SecretsMissing
from cairn.settings import load_settings
from cairn.storage import new_sealing_key
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
def test_m5_lost_secrets_are_not_replaced_beside_existing_data(tmp_path: Path, folder_with_data: str) -> None:
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


def write_secrets_of_an_older_version(data: Path) -> tuple[Path, dict[str, Any]]:
    """Writes secrets without those of the storage package; returns the file and its content."""
    load_settings(data=data)
    path = data / "secrets.json"
    secrets = json.loads(path.read_text())
    del secrets["storage"]
    path.write_text(json.dumps(secrets))
    return path, secrets
