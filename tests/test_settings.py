"""Secrets are generated into the data folder once and then kept."""

import json
import os
import subprocess
import sys
from pathlib import Path

from cairn.settings import load_settings
from tests.serving import environment


def test_a_data_folder_of_an_older_version_gets_new_secrets_and_keeps_the_old_ones(tmp_path: Path) -> None:
    load_settings(data=tmp_path)
    path = tmp_path / "secrets.json"
    older = json.loads(path.read_text())
    del older["storage"]
    path.write_text(json.dumps(older))

    settings = load_settings(data=tmp_path)

    completed = json.loads(path.read_text())
    assert completed["storage"]["sealing_key"] == settings.storage.sealing_key.get_secret_value()
    assert {package: completed[package] for package in older} == older
    assert path.stat().st_mode & 0o777 == 0o600
    assert load_settings(data=tmp_path).storage == settings.storage, "generated only once"


def test_processes_that_start_at_once_agree_on_the_new_secrets(tmp_path: Path) -> None:
    load_settings(data=tmp_path)
    path = tmp_path / "secrets.json"
    older = json.loads(path.read_text())
    del older["storage"]
    path.write_text(json.dumps(older))
    show = "import sys; from cairn.settings import load_settings; " \
        "print(load_settings(data=sys.argv[1]).storage.sealing_key.get_secret_value())"  # fmt: skip

    starting = [
        subprocess.Popen(
            [sys.executable, "-c", show, str(tmp_path)],
            stdout=subprocess.PIPE, text=True, env=environment(PYTHONPATH=os.pathsep.join(sys.path)),
        )
        for _ in range(4)
    ]  # fmt: skip

    assert len({process.communicate(timeout=60)[0] for process in starting}) == 1
