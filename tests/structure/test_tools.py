"""The scripts in tools/ report failures clearly, and `make help` lists every target."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.structure.tree import ROOT, read_source
from tests.waiting import PATIENCE_SECONDS
from tools import check
from tools.check import Check


def test_make_help_lists_every_target() -> None:
    phony_targets = re.search(r"^\.PHONY: (.+)$", read_source(ROOT / "Makefile"), re.MULTILINE)
    help_text = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert phony_targets is not None
    assert set(re.findall(r"make ([a-z-]+)", help_text)) == set(phony_targets[1].split()) - {"setup", "FORCE"}


@pytest.mark.parametrize(
    ("script", "remedy"),
    [
        (
            "[ $1 = --version ] && echo Python 3.9.2 && exit 0; exit 1",
            "needs Python 3.11 or newer and found Python 3.9.2",
        ),
        ('case "$2" in *ensurepip*) exit 1;; esac', "Install its venv module"),
    ],
)
def test_an_unsuitable_python_is_rejected_with_the_remedy(tmp_path: Path, script: str, remedy: str) -> None:
    unsuitable_python = write_executable(tmp_path / "python", script)

    environment = {"PYTHON": unsuitable_python, "PATH": "/usr/bin:/bin"}
    result = subprocess.run(
        ["tools/find-python"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert result.returncode == 1
    assert remedy in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_configured_chromium_is_preferred(tmp_path: Path) -> None:
    configured_chromium = write_executable(tmp_path / "my-chromium", "exit 0")

    environment = {"CAIRN_CHROMIUM": configured_chromium, "PATH": "/usr/bin:/bin"}
    result = subprocess.run(["tools/chromium"], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)

    assert result.stdout.strip() == configured_chromium


def test_tests_of_one_group_run_in_one_process(tmp_path: Path) -> None:
    """Some tests share a server or a large database, or would disturb each other's measurements."""
    (tmp_path / "test_group.py").write_text("""
import os, pytest

@pytest.mark.xdist_group("one")
@pytest.mark.parametrize("number", range(6))
def test_process(number):
    with open("pids", "a") as pids:
        print(os.getpid(), file=pids)
""")
    command = [*check.PYTEST, "-n", "2", "--dist", "loadgroup", "-q", "-c", os.devnull, "--rootdir", "."]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)

    pids = (tmp_path / "pids").read_text().split()
    assert (len(pids), len(set(pids))) == (6, 1)


def test_a_failed_check_fails_the_run_but_does_not_stop_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    failing_check, passing_check = (
        Check("fails", "First", ["false"]),
        Check("passes", "Second", ["touch", str(tmp_path / "ran")]),
    )
    monkeypatch.setattr(check, "CHECKS", [failing_check, passing_check])

    assert check.main([]) == 1
    assert (tmp_path / "ran").exists()
    assert re.search(r"FAILED in \d+ s: First \(1 of 2 checks\)", capfd.readouterr().out)


def test_the_failed_tests_are_named_at_the_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_river.py").write_text("def test_rapids():\n    assert 'calm' == 'wild'\n")
    python = [*check.PYTHON, "pytest", "-q", "-c", os.devnull, f"--junitxml={tmp_path}/python.xml", str(tmp_path)]
    vitest_results = {
        "testResults": [
            {
                "name": "/contract/trip.test.ts",
                "status": "failed",
                "message": "",
                "assertionResults": [
                    {
                        "ancestorTitles": ["a trip"],
                        "title": "starts",
                        "status": "failed",
                        "failureMessages": ["Error: no boat\n    at trip"],
                    }
                ],
            },
            {"name": "/contract/sign.test.ts", "status": "failed", "message": "no server", "assertionResults": []},
        ]
    }
    write_report = f"import sys; open('{tmp_path}/web.json', 'w').write({json.dumps(vitest_results)!r}); sys.exit(1)"
    first = Check("python", "First", python, report="python.xml")
    second = Check("web", "Second", [sys.executable, "-c", write_report], report="web.json")
    monkeypatch.setattr(check, "CHECKS", [first, second])
    monkeypatch.setattr(check, "REPORTS", tmp_path)

    assert check.main([]) == 1

    end = capfd.readouterr().out.partition("-- Second: FAILED")[2]
    assert "test_river.test_rapids: AssertionError: assert 'calm' == 'wild'" in end
    assert "trip.test.ts a trip starts: Error: no boat\n" in end
    assert "sign.test.ts: no server\n" in end


def test_a_check_that_hangs_is_stopped_with_the_processes_that_it_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pid_file = tmp_path / "pid"
    script = f"sleep 100 & echo $! > {pid_file}; wait"
    monkeypatch.setattr(check, "CHECKS", [Check("hangs", "First", ["sh", "-c", script], limit_minutes=0.05)])

    assert check.main([]) == 1
    assert "First did not end within 0.05 minutes" in capfd.readouterr().out
    pid = int(pid_file.read_text())
    # The kernel ends a killed process at its next turn, which can be later on a busy machine.
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while is_running(pid) and time.monotonic() < give_up_at:
        time.sleep(0.05)
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    """A killed process whose parent is gone can remain as a zombie."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    return False


def test_checks_that_run_at_the_same_time_print_one_after_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each check waits for a file that the other writes, so neither could finish alone."""
    first_file, second_file = tmp_path / "first", tmp_path / "second"
    wait_for_other = "touch {0}; until [ -e {1} ]; do :; done; echo {2}; exit {3}"
    first = Check("a", "First", ["sh", "-c", wait_for_other.format(first_file, second_file, "first is done", 0)])
    second = Check(
        "b", "Second", ["sh", "-c", wait_for_other.format(second_file, first_file, "second is done", 1)], beside="a"
    )
    monkeypatch.setattr(check, "CHECKS", [first, second])

    assert check.main([]) == 1
    out = capfd.readouterr().out
    assert out.index("first is done") < out.index("second is done")
    assert "FAILED in" in out
    assert ": Second (1 of 2 checks)" in out


def test_two_checks_beside_the_same_check_run_one_after_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The first check ends only once the third has begun, and the third one fails without the file of the second."""
    written_file, last_file = tmp_path / "written", tmp_path / "last"
    first = Check("a", "First", ["sh", "-c", f"until [ -e {last_file} ]; do :; done"])
    second = Check("b", "Second", ["sh", "-c", f"sleep 0.2; touch {written_file}"], beside="a")
    third = Check("c", "Third", ["sh", "-c", f"touch {last_file}; cat {written_file}"], beside="a")
    monkeypatch.setattr(check, "CHECKS", [first, second, third])

    assert check.main([]) == 0
    assert "All 3 checks passed" in capfd.readouterr().out


def test_a_check_also_runs_without_the_one_beside_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first = Check("a", "First", ["false"])
    second, third = (Check(name, name, ["touch", str(tmp_path / name)], beside="a") for name in ("b", "c"))
    monkeypatch.setattr(check, "CHECKS", [first, second, third])

    assert check.main(["b", "c"]) == 0
    assert {file.name for file in tmp_path.iterdir()} == {"b", "c"}


def test_an_unknown_check_is_not_silently_skipped() -> None:
    with pytest.raises(SystemExit, match="no such check: lnt"):
        check.main(["lint", "lnt"])


def test_temporary_files_are_in_memory_only_if_there_is_space(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(check, "MEMORY_FOLDER", tmp_path)
    monkeypatch.setattr(check, "NEEDED_BYTES", 0)
    with check.environment() as variables:
        folder = Path(variables["TMPDIR"])
        assert folder.parent == tmp_path
        (folder / "temporary file").touch()
    assert not folder.exists()

    monkeypatch.setattr(check, "NEEDED_BYTES", 1 << 62)
    with check.environment() as variables:
        assert variables.get("TMPDIR") == os.environ.get("TMPDIR")


def test_a_failed_step_of_the_setup_prints_its_output_and_what_to_check(tmp_path: Path) -> None:
    broken_npm = write_executable(tmp_path / "npm", "echo 'lock file does not match' >&2; exit 7")

    step = [
        str(ROOT / "tools" / "step"),
        "installing the browser packages",
        "Is the package index reachable?",
        broken_npm,
        "ci",
    ]
    result = subprocess.run(step, capture_output=True, text=True, check=False)

    assert result.returncode == 7
    assert result.stderr.splitlines() == [
        "lock file does not match",
        "",
        f"error: installing the browser packages failed (exit code 7): {broken_npm} ci",
        "Is the package index reachable?",
    ]


def test_a_step_that_succeeds_prints_nothing(tmp_path: Path) -> None:
    noisy_npm = write_executable(tmp_path / "npm", "echo 'added 300 packages'")

    result = subprocess.run(
        [ROOT / "tools" / "step", "what", "hint", noisy_npm], capture_output=True, text=True, check=True
    )

    assert (result.stdout, result.stderr) == ("", "")


def test_make_says_why_the_browser_packages_could_not_be_installed(tmp_path: Path) -> None:
    """Uses the real Makefile with an npm that fails as it does when the lock file is stale."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for path in ("requirements/dev.txt", "pyproject.toml", "web/package-lock.json", ".venv/.ready"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    (tmp_path / ".venv" / "bin").mkdir()
    write_executable(tmp_path / ".venv" / "bin" / "npm", "echo 'npm error code EUSAGE' >&2; exit 1")

    result = subprocess.run(
        ["make", "web/node_modules/.ready"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert result.returncode != 0
    assert "npm error code EUSAGE" in result.stderr
    assert "error: installing the browser packages failed" in result.stderr
    assert not (tmp_path / "web" / "node_modules" / ".ready").exists()


def write_executable(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)
