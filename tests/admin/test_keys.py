"""The operator sees which keys sign access tokens and seal documents, and can rotate them."""

import json
from pathlib import Path

import pytest
from joserfc.jwk import ECKey

from cairn.admin.context import AdminContext
from cairn.admin.show_keys import show_keys
from cairn.cli import main
from cairn.kit import now
from cairn.settings import load_settings
from cairn.waivers import load_seal
from tests.seals import document_settings


@pytest.mark.accept("OPS-50")
async def test_keys_are_shown_by_their_ids_and_without_secrets(context: AdminContext) -> None:
    load_seal(context.settings.data, document_settings())
    retired_key = ECKey.generate_key("P-256")
    auth = context.settings.auth.model_copy(update={"retired_keys": (retired_key.as_pem(private=False).decode(),)})
    settings = context.settings.model_copy(update={"auth": auth})

    rows = (await show_keys(AdminContext(settings, context.database))).rows

    signing_key = ECKey.import_key(auth.signing_key.get_secret_value())
    assert [(row["id"], row["purpose"]) for row in rows[:2]] == [
        (signing_key.thumbprint(), "signs access tokens"),
        (retired_key.thumbprint(), "verifies older access tokens"),
    ]
    assert {row["purpose"] for row in rows[2:]} == {"seals documents", "verifies older documents"}
    assert all(str(row["expires_at"]) > str(now()) for row in rows[2:])
    assert "PRIVATE" not in json.dumps(rows, default=str)


@pytest.mark.accept("OPS-50")
def test_a_secret_is_rotated_after_a_confirmation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["admin", "keys", "rotate", "storage-key", "--data", str(tmp_path)]
    old = load_settings(data=tmp_path).bundle
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)

    with pytest.raises(SystemExit, match="Nothing was changed"):
        main(command)
    assert load_settings(data=tmp_path).bundle == old

    with pytest.raises(SystemExit):
        main([*command, "--yes"])
    assert load_settings(data=tmp_path).bundle["storage"]["retired_sealing_keys"] == [old["storage"]["sealing_key"]]
    assert capsys.readouterr().out.startswith("secrets.json contains a new storage-key.")

    monkeypatch.setenv("CAIRN_SECRETS", json.dumps(old))
    with pytest.raises(SystemExit):
        main([*command, "--yes", "--json"])
    [row] = json.loads(capsys.readouterr().out)
    assert row["bundle"]["storage"]["retired_sealing_keys"] == [old["storage"]["sealing_key"]]
