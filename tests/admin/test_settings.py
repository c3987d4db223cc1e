"""`cairn admin settings` shows the settings without secrets, and checks them."""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel, SecretStr

from cairn.admin.check_settings import check_settings
from cairn.admin.show_settings import show_settings
from cairn.cli import main
from cairn.settings import Settings, load_settings, nested_model


@pytest.mark.accept("OPS-50")
def test_no_secret_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAIRN_DATABASE__URL", "postgresql://cairn:hunter2@db.example/cairn")
    monkeypatch.setenv("CAIRN_MESSAGING__SMTP__HOST", "mail.example")
    monkeypatch.setenv("CAIRN_MESSAGING__SMTP__PASSWORD", "hunter2")

    rows = {str(row["setting"]): row for row in show_settings(load_settings(data=tmp_path)).rows}

    text = json.dumps(list(rows.values()), default=str)
    assert "hunter2" not in text
    for package in json.loads((tmp_path / "secrets.json").read_text()).values():
        assert not any(secret in text for secret in package.values())
    assert rows["CAIRN_DATABASE__URL"] == {
        "setting": "CAIRN_DATABASE__URL", "value": "********", "from": "environment",
    }  # fmt: skip
    assert rows["CAIRN_AUTH__JWT_SECRET"]["from"] == "data folder"
    assert rows["CAIRN_PORT"] == {"setting": "CAIRN_PORT", "value": 8000, "from": "default"}
    assert rows["CAIRN_MESSAGING__SMTP__HOST"]["value"] == "mail.example"


@pytest.mark.accept("OPS-50")
def test_every_setting_that_sounds_like_a_secret_is_one() -> None:
    not_secret = {"retired_keys", "access_key_id", "client_id", "password_required_characters"}
    suspicious = [
        name
        for name, annotation in _fields(Settings)
        if any(word in name for word in ("secret", "password", "token", "_key", "sealing"))
        and "SecretStr" not in str(annotation)
        and annotation is not SecretStr
        and str in (annotation, *getattr(annotation, "__args__", ()))
        and name not in not_secret
    ]

    assert suspicious == []


@pytest.mark.accept("OPS-50")
def test_a_check_lists_each_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_settings(load_settings(data=tmp_path)).exit_code == 0
    monkeypatch.setenv("CAIRN_AUTH__SITE_URL", "https://waivers.example.com")
    monkeypatch.setenv("CAIRN_HOST", "no-such-host.invalid")

    report = check_settings(load_settings(data=tmp_path))

    assert report.exit_code == 1
    assert [str(row["problem"]).split()[0] for row in report.rows] == ["The", "CAIRN_HOST"]


@pytest.mark.accept("OPS-50")
def test_a_wrong_setting_is_reported_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAIRN_TRUSTED_PROXIES", "notanip")

    with pytest.raises(SystemExit, match=r"^cairn: CAIRN_TRUSTED_PROXIES cannot be used: .*\.$"):
        main(["admin", "settings", "check", "--data", str(tmp_path)])


def _fields(model: type[BaseModel]) -> list[tuple[str, object]]:
    fields: list[tuple[str, object]] = []
    for name, field in model.model_fields.items():
        nested = nested_model(field.annotation)
        fields += _fields(nested) if nested is not None else [(name, field.annotation)]
    return fields
