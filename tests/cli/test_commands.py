"""The `cairn` command starts, stops and checks a server, and reports mistakes in one line."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import asyncpg
import httpx
import pytest

from cairn.db import EmbeddedPostgres
from tests.serving import free_port, run_cairn, serving


def test_help_names_every_command() -> None:
    output = run_cairn("--help").stdout

    for command in ("serve", "worker", "migrate", "keys", "mailbox", "doctor", "verify", "backup", "restore",
                    "admin", "demo"):  # fmt: skip
        assert re.search(rf"^ +{command} +\w", output, re.MULTILINE), command
    assert "cairn backup /backups/monday" in output, "there are examples"


def test_help_imports_only_the_parser_of_the_command_line() -> None:
    """Importing all modules of the commands and of their libraries would take two seconds."""
    modules = modules_imported_by("--help")

    assert {name for name in modules if name.split(".")[0] == "cairn"} == {"cairn", "cairn.cli"}
    assert modules.isdisjoint({"asyncio", "asyncpg", "cryptography", "pydantic", "pyhanko", "starlette", "uvloop"})


def test_a_command_does_not_import_the_modules_of_other_commands() -> None:
    modules = modules_imported_by("migrate", "--help")

    assert "cairn.commands.migrate" in modules
    assert modules.isdisjoint({"cairn.admin", "cairn.backup", "cairn.commands.serve", "cairn.demo", "uvloop"})


def modules_imported_by(*arguments: str) -> set[str]:
    """Runs `cairn` with the arguments, and returns the names of the modules that were imported meanwhile."""
    code = "import atexit, sys; from cairn.cli import main; atexit.register(lambda: print(*sys.modules)); main()"
    output = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True).stdout
    return set(output.splitlines()[-1].split())


async def test_ctrl_c_stops_the_server_and_loses_no_data(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        connection = await asyncpg.connect(server.db_url)
        await connection.execute("insert into companies (name) values ('Rio Rafting')")
        await connection.close()

        assert server.interrupt() == 0

    with pytest.raises(OSError, match="No such file|refused"):
        await asyncpg.connect(server.db_url)
    with serving(tmp_path) as restarted_server:
        connection = await asyncpg.connect(restarted_server.db_url)
        assert await connection.fetchval("select name from companies") == "Rio Rafting"
        await connection.close()


def test_the_server_does_not_log_who_reads_which_page(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The privacy page promises that the server does not log this."""
    with serving(tmp_path) as server:
        assert httpx.get(f"{server.url}/privacy").status_code == 200

    output, errors = capfd.readouterr()
    assert server.url in output + errors, "the output of the server was captured"
    assert "/privacy" not in output + errors


def test_keys_prints_everything_a_client_needs_and_the_same_every_time(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        keys = json.loads(run_cairn("keys", "--json", "--data", tmp_path).stdout)
        response = httpx.get(f"{keys['url']}/rest/v1/waiver_templates", headers={"apikey": keys["anon_key"]})

    assert set(keys) == {"url", "anon_key", "service_key", "jwt_secret", "db_url"}
    assert keys["url"] == server.url
    assert response.status_code == 200
    assert json.loads(run_cairn("keys", "--json", "--data", tmp_path).stdout) == keys
    assert keys["anon_key"] in run_cairn("keys", "--data", tmp_path).stdout


def test_secrets_are_readable_only_by_their_owner(tmp_path: Path) -> None:
    run_cairn("keys", "--data", tmp_path)

    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600


def test_a_port_in_use_is_reported_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]

        result = run_cairn("serve", "--data", tmp_path, "--port", str(port))

    assert result.returncode != 0
    assert result.stderr.splitlines() == [
        f"cairn: Port {port} on 127.0.0.1 is in use. Stop the other program, or choose another port: --port, "
        "or make run PORT=8123."
    ]


def test_a_data_folder_that_cannot_be_written_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")

    result = run_cairn("serve", "--data", tmp_path / "file" / "data", "--port", str(free_port()))

    [line] = result.stderr.splitlines()
    assert "cannot be written to" in line
    assert "--data" in line


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write everywhere")
def test_a_read_only_data_folder_is_reported_in_one_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)

    [line] = run_cairn("serve", "--data", tmp_path, "--port", str(free_port())).stderr.splitlines()

    assert "cannot be written to" in line


def test_an_unreachable_database_is_reported_in_one_line(tmp_path: Path) -> None:
    url = f"postgresql://cairn@127.0.0.1:{free_port()}/cairn"

    result = run_cairn("serve", "--data", tmp_path, "--port", str(free_port()), CAIRN_DATABASE__URL=url)

    [line] = result.stderr.splitlines()
    assert "database" in line
    assert "CAIRN_DATABASE__URL" in line


async def test_a_newer_schema_is_reported_in_one_line(tmp_path: Path) -> None:
    run_cairn("migrate", "--data", tmp_path)
    postgres = EmbeddedPostgres(tmp_path)
    with postgres.running():
        connection = await asyncpg.connect(postgres.url())
        await connection.execute("insert into cairn.migrations (name, sha256) values ('9999_from_the_future', 'x')")
        await connection.close()

    [line] = run_cairn("serve", "--data", tmp_path, "--port", str(free_port())).stderr.splitlines()

    assert "9999_from_the_future" in line
    assert "newer" in line


def test_an_unknown_setting_is_rejected(tmp_path: Path) -> None:
    # The name is misspelled on purpose.
    result = run_cairn("keys", "--data", tmp_path, CAIRN_MESAGING__SENDER="x@example.com")

    assert "CAIRN_MESAGING__SENDER" in result.stderr
    assert result.returncode != 0


def test_an_invalid_value_is_reported_without_showing_secrets(tmp_path: Path) -> None:
    result = run_cairn("keys", "--data", tmp_path, CAIRN_AUTH__JWT_SECRET="hunter2")

    [line] = result.stderr.splitlines()
    assert "CAIRN_AUTH__JWT_SECRET" in line
    assert "hunter2" not in line


def test_migrating_twice_changes_nothing(tmp_path: Path) -> None:
    assert "applied db/0001_baseline" in run_cairn("migrate", "--data", tmp_path).stdout
    assert run_cairn("migrate", "--data", tmp_path).stdout == "nothing to do\n"


def test_the_doctor_names_the_command_or_setting_that_fixes_a_failed_check(tmp_path: Path) -> None:
    failing_report = run_cairn(
        "doctor", "--data", tmp_path,
        CAIRN_MESSAGING__SMTP__HOST="127.0.0.1", CAIRN_MESSAGING__SMTP__PORT=str(free_port()),
    )  # fmt: skip
    run_cairn("migrate", "--data", tmp_path)
    healthy_report = run_cairn("doctor", "--data", tmp_path)

    assert failing_report.returncode == 1
    assert re.search(r"^FAIL +migrations .*cairn migrate", failing_report.stdout, re.MULTILINE)
    assert re.search(r"^FAIL +mail .*CAIRN_MESSAGING__SMTP", failing_report.stdout, re.MULTILINE)
    for check in ("storage", "keys", "secrets", "mail", "database", "migrations", "jobs"):
        assert re.search(rf"^ok +{check} ", healthy_report.stdout, re.MULTILINE), healthy_report.stdout
