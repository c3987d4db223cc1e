"""Low findings in docs/security.md: a wrong setting or a damaged data folder is reported in one clear line."""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cairn.db import EmbeddedPostgres
from tests.serving import free_port, run_cairn


def run_refused_server(data: Path, *flags: str, **settings: str) -> str:
    """Runs `cairn serve`, which must refuse to start, and returns the only line that it prints."""
    flags = flags or ("--port", str(free_port()))
    result = run_cairn("serve", "--data", data, *flags, **settings)
    assert result.returncode == 1, result.stderr
    [line] = result.stderr.splitlines()
    assert line.startswith("cairn: ")
    return line


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CAIRN_DATABASE__URL", "junk"),
        ("CAIRN_DATABASE__URL", "mysql://cairn@127.0.0.1/cairn"),
        ("CAIRN_DATABASE__URL", "postgresql://cairn@127.0.0.1:port/cairn"),
        ("CAIRN_DATABASE__POOL_SIZE", "0"),
        ("CAIRN_DATABASE__POOL_SIZE", "-3"),
        ("CAIRN_PUSH__PRIVATE_KEY", "junk"),
        ("CAIRN_DOCUMENTS__SEAL_KEY", "junk"),
        ("CAIRN_DOCUMENTS__RETIRED_CERTIFICATES", '["junk"]'),
        ("CAIRN_SECRETS", "junk"),
        ("CAIRN_SECRETS", "[]"),
        ("CAIRN_SECRETS", '{"auth": "junk"}'),
        ("CAIRN_REST__SCHEMAS", "public"),
        ("CAIRN_AUTH__RETIRED_KEYS", "junk"),
        ("CAIRN_AUTH__RETIRED_JWT_SECRETS", '[""]'),
        ("CAIRN_AUTH__SITE_URL", "notaurl"),
        ("CAIRN_AUTH__SITE_URL", "https://user:hunter2@waivers.example"),
        ("CAIRN_AUTH__SITE_URL", "https://waivers.example/?page=1"),
        ("CAIRN_STORAGE", "junk"),
        ("CAIRN_TRUSTED_PROXIES", "notanip"),
        ("CAIRN_TRUSTED_PROXIES", "10.0.0.5, 10.0.0.0/99"),
    ],
)
@pytest.mark.accept("OPS-45")
def test_a_junk_setting_is_named(tmp_path: Path, variable: str, value: str) -> None:
    line = run_refused_server(tmp_path, **{variable: value})

    assert line.startswith(f"cairn: {variable} cannot be used: ")
    assert "hunter2" not in line


@pytest.mark.accept("OPS-45")
def test_a_port_out_of_range_is_named(tmp_path: Path) -> None:
    assert "CAIRN_PORT cannot be used" in run_refused_server(tmp_path, "--port", "99999")


def test_a_restore_names_a_junk_setting(tmp_path: Path) -> None:
    environment = {"CAIRN_PORT": "junk", "CAIRN_BACKUP_PASSPHRASE": "a long passphrase"}

    [line] = run_cairn("restore", tmp_path, **environment).stderr.splitlines()

    assert line.startswith("cairn: CAIRN_PORT cannot be used: ")


@pytest.mark.accept("OPS-45")
@pytest.mark.parametrize("host", ["no-such-host.invalid", "203.0.113.9", "999.1.1.1"])
def test_a_wrong_host_is_not_called_a_port_in_use(tmp_path: Path, host: str) -> None:
    line = run_refused_server(tmp_path, "--host", host, "--port", str(free_port()))

    assert f"cannot listen on {host}" in line
    assert "in use" not in line


@pytest.mark.parametrize("content", ["{", "[]", '{"auth": "junk"}', ""])
def test_broken_secrets_are_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "secrets.json").write_text(content)

    line = run_refused_server(tmp_path)

    assert str(tmp_path / "secrets.json") in line
    assert "backup" in line
    assert (tmp_path / "secrets.json").read_text() == content, "the file is not touched"


def test_a_junk_seal_of_an_older_version_is_named(tmp_path: Path) -> None:
    (tmp_path / "seal").mkdir()
    (tmp_path / "seal" / "own.pem").write_text("junk")
    (tmp_path / "secrets.json").write_text("{}")

    assert str(tmp_path / "seal" / "own.pem") in run_refused_server(tmp_path)
    assert (tmp_path / "seal" / "own.pem").read_text() == "junk", "the file is not touched"


def test_a_cluster_without_its_version_is_named(tmp_path: Path) -> None:
    run_cairn("keys", "--data", tmp_path)
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "base").mkdir()

    line = run_refused_server(tmp_path)

    assert f"{tmp_path / 'postgres'} is not a complete PostgreSQL cluster" in line
    assert (tmp_path / "postgres" / "base").exists()


@pytest.fixture
def long_path(tmp_path: Path) -> Iterator[Path]:
    """A data folder whose path is too long for a socket, so that the socket is in the temporary folder."""
    data = tmp_path / ("long" * 25)
    data.mkdir(parents=True)
    yield data
    folder = EmbeddedPostgres(data).socket_folder
    folder.unlink() if folder.is_symlink() else shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("danger", ["open to others", "a link", "of another user"])
def test_a_socket_folder_that_others_control_is_refused(long_path: Path, tmp_path: Path, danger: str) -> None:
    folder = EmbeddedPostgres(long_path).socket_folder
    assert folder.is_relative_to(tempfile.gettempdir())
    if danger == "a link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "elsewhere")
    else:
        folder.mkdir(mode=0o700)
    if danger == "open to others":
        folder.chmod(0o777)
    if danger == "of another user":
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder to another user")
        os.chown(folder, 12345, 12345)

    line = run_refused_server(long_path)

    assert str(folder) in line
    assert "--data" in line
    with socket.socket(socket.AF_UNIX) as probe, pytest.raises(OSError, match="No such file|refused"):
        probe.connect(str(folder / ".s.PGSQL.5432"))


def test_a_private_socket_folder_is_used(long_path: Path) -> None:
    assert run_cairn("migrate", "--data", long_path).returncode == 0
    assert EmbeddedPostgres(long_path).socket_folder.stat().st_mode & 0o777 == 0o700
