import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.structure.tree import ROOT, text
from tools import check
from tools.check import Check


def test_make_help_lists_every_target() -> None:
    phony = re.search(r"^\.PHONY: (.+)$", text(ROOT / "Makefile"), re.MULTILINE)
    printed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert phony is not None
    assert set(re.findall(r"make ([a-z-]+)", printed)) == set(phony[1].split()) - {"setup", "FORCE"}


@pytest.mark.parametrize(
    ("python", "remedy"),
    [
        (
            "[ $1 = --version ] && echo Python 3.9.2 && exit 0; exit 1",
            "needs Python 3.11 or newer and found Python 3.9.2",
        ),
        ('case "$2" in *ensurepip*) exit 1;; esac', "Install its venv module"),
    ],
)
def test_an_unsuitable_python_is_refused_with_the_remedy(tmp_path: Path, python: str, remedy: str) -> None:
    unfit = executable(tmp_path / "python", python)

    found = subprocess.run(
        ["tools/find-python"], cwd=ROOT, env={"PYTHON": unfit, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip

    assert found.returncode == 1
    assert remedy in found.stderr
    assert len(found.stderr.splitlines()) == 1


def test_a_configured_chromium_is_preferred(tmp_path: Path) -> None:
    named = executable(tmp_path / "my-chromium", "exit 0")

    found = subprocess.run(
        ["tools/chromium"], cwd=ROOT, env={"CAIRN_CHROMIUM": named, "PATH": "/usr/bin:/bin"}, capture_output=True,
        text=True, check=True,
    )  # fmt: skip

    assert found.stdout.strip() == named


def test_a_failed_check_fails_the_run_but_does_not_stop_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    fails, passes = Check("fails", "First", ["false"]), Check("passes", "Second", ["touch", str(tmp_path / "ran")])
    monkeypatch.setattr(check, "CHECKS", [fails, passes])

    assert check.main([]) == 1
    assert (tmp_path / "ran").exists()
    assert re.search(r"FAILED in \d+ s: First \(1 of 2 checks\)", capfd.readouterr().out)


def test_checks_that_run_at_the_same_time_print_one_after_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each waits for a file that the other writes, so neither could finish alone."""
    one, other = tmp_path / "one", tmp_path / "other"
    meet = "touch {0}; until [ -e {1} ]; do :; done; echo {2}; exit {3}"
    first = Check("a", "First", ["sh", "-c", meet.format(one, other, "I met the second", 0)], with_next=True)
    second = Check("b", "Second", ["sh", "-c", meet.format(other, one, "I met the first", 1)])
    monkeypatch.setattr(check, "CHECKS", [first, second])

    assert check.main([]) == 1
    out = capfd.readouterr().out
    assert out.index("I met the second") < out.index("I met the first")
    assert "FAILED in" in out
    assert ": Second (1 of 2 checks)" in out


def test_an_unknown_check_is_not_silently_skipped() -> None:
    with pytest.raises(SystemExit, match="no such check: lnt"):
        check.main(["lint", "lnt"])


def test_temporary_files_are_in_memory_only_if_there_is_space(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(check, "MEMORY", tmp_path)
    monkeypatch.setattr(check, "SPACE", 0)
    with check.environment() as variables:
        scratch = Path(variables["TMPDIR"])
        assert scratch.parent == tmp_path
        (scratch / "left behind").touch()
    assert not scratch.exists()

    monkeypatch.setattr(check, "SPACE", 1 << 62)
    with check.environment() as variables:
        assert variables.get("TMPDIR") == os.environ.get("TMPDIR")


def test_a_failed_step_of_the_setup_prints_its_output_and_what_to_check(tmp_path: Path) -> None:
    broken = executable(tmp_path / "npm", "echo 'lock file does not match' >&2; exit 7")

    step = [
        str(ROOT / "tools" / "step"),
        "installing the browser packages",
        "Is the package index reachable?",
        broken,
        "ci",
    ]
    ran = subprocess.run(step, capture_output=True, text=True, check=False)

    assert ran.returncode == 7
    assert ran.stderr.splitlines() == [
        "lock file does not match",
        "",
        f"error: installing the browser packages failed (exit code 7): {broken} ci",
        "Is the package index reachable?",
    ]


def test_a_step_that_succeeds_prints_nothing(tmp_path: Path) -> None:
    noisy = executable(tmp_path / "npm", "echo 'added 300 packages'")

    ran = subprocess.run([ROOT / "tools" / "step", "what", "hint", noisy], capture_output=True, text=True, check=True)

    assert (ran.stdout, ran.stderr) == ("", "")


def test_make_says_why_the_browser_packages_could_not_be_installed(tmp_path: Path) -> None:
    """Uses the real Makefile with an npm that fails as it does when the lock file is stale."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for path in ("requirements/dev.txt", "pyproject.toml", "web/package-lock.json", ".venv/.ready"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    (tmp_path / ".venv" / "bin").mkdir()
    executable(tmp_path / ".venv" / "bin" / "npm", "echo 'npm error code EUSAGE' >&2; exit 1")

    ran = subprocess.run(["make", "web/node_modules/.ready"], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert ran.returncode != 0
    assert "npm error code EUSAGE" in ran.stderr
    assert "error: installing the browser packages failed" in ran.stderr
    assert not (tmp_path / "web" / "node_modules" / ".ready").exists()


def executable(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)
