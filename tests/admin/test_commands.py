"""What all commands of `cairn admin` have in common: tables, JSON, confirmations and help."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cairn.admin.confirm import confirm
from cairn.admin.errors import NotConfirmed
from cairn.admin.report import Report, render
from cairn.cli import main


@pytest.mark.accept("OPS-51")
def test_a_report_is_an_aligned_table_or_json() -> None:
    moment = datetime(2026, 11, 17, 5, 0, tzinfo=UTC)
    report = Report([{"id": 1, "created_at": moment}, {"id": 100, "created_at": None}])

    assert render(report, as_json=False) == "ID   CREATED AT\n1    2026-11-17 05:00Z\n100  -"
    assert json.loads(render(report, as_json=True)) == [
        {"id": 1, "created_at": "2026-11-17T05:00:00+00:00"},
        {"id": 100, "created_at": None},
    ]
    assert render(Report([]), as_json=False) == "nothing found"


def test_a_name_cannot_control_the_terminal() -> None:
    assert "\x1b" not in render(Report([{"name": "\x1b[2Jrosa\n"}]), as_json=False)
    assert "\x1b" not in render(Report([{"name": ""}], "Suspended \x1b[2Jrosa."), as_json=False)


@pytest.mark.accept("OPS-51")
def test_a_destructive_command_must_be_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    confirm("Delete it?", is_confirmed=True)
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    with pytest.raises(NotConfirmed, match="--yes"):
        confirm("Delete it?", is_confirmed=False)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: "n")
    with pytest.raises(NotConfirmed):
        confirm("Delete it?", is_confirmed=False)
    monkeypatch.setattr("builtins.input", lambda _: "y")
    confirm("Delete it?", is_confirmed=False)


@pytest.mark.accept("OPS-51")
@pytest.mark.parametrize("arguments", [["users", "suspend", "rosa@example.com"], ["companies", "erase", "0" * 32]])
def test_without_a_terminal_nothing_is_changed_unless_it_is_confirmed(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)

    with pytest.raises(SystemExit, match="Nothing was changed"):
        main(["admin", *arguments, "--data", str(tmp_path)])


@pytest.mark.accept("OPS-51")
def test_the_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_info:
        main(["admin", "--help"])

    assert exit_info.value.code == 0
    assert "cairn admin companies suspend" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["users"], ["companies", "suspend", "rio"], ["queue", "retry"]])
def test_wrong_arguments_end_with_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_info:
        main(["admin", *arguments])

    assert exit_info.value.code == 2
    assert "usage: cairn admin" in capsys.readouterr().err
