import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.structure.tree import ROOT, text
from tools import check
from tools.check import Check


def test_make_help_lists_every_target() -> None:
    phony = re.search(r"^\.PHONY: (.+)$", text(ROOT / "Makefile"), re.MULTILINE)
    told = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert phony is not None
    assert set(re.findall(r"make ([a-z-]+)", told)) == set(phony[1].split()) - {"setup", "FORCE"}


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
def test_a_python_that_will_not_do_is_refused_with_the_remedy(tmp_path: Path, python: str, remedy: str) -> None:
    unfit = executable(tmp_path / "python", python)

    asked = subprocess.run(
        ["tools/find-python"], cwd=ROOT, env={"PYTHON": unfit, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip

    assert asked.returncode == 1
    assert remedy in asked.stderr
    assert len(asked.stderr.splitlines()) == 1


def test_a_named_chromium_is_taken_before_any_other(tmp_path: Path) -> None:
    named = executable(tmp_path / "my-chromium", "exit 0")

    asked = subprocess.run(
        ["tools/chromium"], cwd=ROOT, env={"CAIRN_CHROMIUM": named, "PATH": "/usr/bin:/bin"}, capture_output=True,
        text=True, check=True,
    )  # fmt: skip

    assert asked.stdout.strip() == named


def test_a_failed_check_fails_the_whole_and_stops_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    fails, passes = Check("fails", "First", ["false"]), Check("passes", "Second", ["touch", str(tmp_path / "ran")])
    monkeypatch.setattr(check, "CHECKS", [fails, passes])

    assert check.main([]) == 1
    assert (tmp_path / "ran").exists()
    assert re.search(r"FAILED in \d+ s: First \(1 of 2 checks\)", capfd.readouterr().out)


def test_two_that_run_beside_each_other_are_heard_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each waits for a sign of the other, so neither would end alone."""
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


def test_what_tests_write_lies_in_memory_only_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(check, "MEMORY", tmp_path)
    monkeypatch.setattr(check, "ROOM", 0)
    with check.environment() as variables:
        scratch = Path(variables["TMPDIR"])
        assert scratch.parent == tmp_path
        (scratch / "left behind").touch()
    assert not scratch.exists()

    monkeypatch.setattr(check, "ROOM", 1 << 62)
    with check.environment() as variables:
        assert variables.get("TMPDIR") == os.environ.get("TMPDIR")


def executable(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)
