"""The passphrase comes from a file, a variable or a prompt, and only it decrypts the secrets of a backup."""

from pathlib import Path

import pytest

from cairn.backup.errors import PassphraseMissing, PassphrasesDiffer, PassphraseTooShort, PassphraseWrong, PlaceUnusable
from cairn.backup.passphrase import PASSPHRASE_VARIABLE, read_passphrase
from cairn.backup.sealed_secrets import BackupSecrets, decrypt_secrets

SECRETS = BackupSecrets({"auth": {"jwt_secret": "a jwt secret"}}, {"own.pem": b"a private key"}, "a hash")


@pytest.mark.accept("OPS-06")
def test_only_the_passphrase_decrypts_the_secrets() -> None:
    sealed = SECRETS.encrypted("the right passphrase")

    assert b"a jwt secret" not in sealed
    assert b"a private key" not in sealed
    assert decrypt_secrets(sealed, "the right passphrase") == SECRETS
    for content, passphrase in ((sealed, "a wrong one"), (sealed[:-1] + b"x", "the right passphrase"), (b"", "")):
        with pytest.raises(PassphraseWrong):
            decrypt_secrets(content, passphrase)


def test_the_same_secrets_are_encrypted_differently_each_time() -> None:
    assert SECRETS.encrypted("a passphrase") != SECRETS.encrypted("a passphrase")


@pytest.mark.accept("OPS-06")
def test_the_passphrase_is_read_from_a_file_or_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "passphrase").write_text("from the file 123\n")
    monkeypatch.setenv(PASSPHRASE_VARIABLE, "from the variable")

    assert read_passphrase(tmp_path / "passphrase", is_new=True) == "from the file 123"
    assert read_passphrase(None, is_new=True) == "from the variable"
    with pytest.raises(PlaceUnusable):
        read_passphrase(tmp_path / "missing", is_new=True)


def test_a_new_passphrase_is_prompted_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["a first passphrase", "a second passphrase"])
    monkeypatch.delenv(PASSPHRASE_VARIABLE, raising=False)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(typed))

    with pytest.raises(PassphrasesDiffer):
        read_passphrase(None, is_new=True)


def test_a_short_new_passphrase_and_a_missing_one_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE_VARIABLE, "short")
    with pytest.raises(PassphraseTooShort):
        read_passphrase(None, is_new=True)
    assert read_passphrase(None, is_new=False) == "short"

    monkeypatch.delenv(PASSPHRASE_VARIABLE)
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    with pytest.raises(PassphraseMissing):
        read_passphrase(None, is_new=False)
