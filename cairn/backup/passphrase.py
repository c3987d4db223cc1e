"""Reads the passphrase of a backup. It is never an argument, because other users of the machine see arguments."""

import getpass
import os
import sys
from pathlib import Path

from cairn.backup.errors import PassphraseMissing, PassphrasesDiffer, PassphraseTooShort, PlaceUnusable

PASSPHRASE_VARIABLE = "CAIRN_BACKUP_PASSPHRASE"  # noqa: S105 - the name of a variable
_MIN_LENGTH = 12


def read_passphrase(file: Path | None, *, is_new: bool) -> str:
    """Returns the passphrase from the file, the variable or a prompt. A new one is prompted for twice."""
    passphrase = _read(file, is_new=is_new)
    if is_new and len(passphrase) < _MIN_LENGTH:
        raise PassphraseTooShort(length=_MIN_LENGTH)
    return passphrase


def _read(file: Path | None, *, is_new: bool) -> str:
    if file is not None:
        try:
            return file.read_text("utf-8").strip()
        except OSError as error:
            raise PlaceUnusable(place=file, reason=error.strerror) from error
    if passphrase := os.environ.get(PASSPHRASE_VARIABLE):
        return passphrase
    if not sys.stdin.isatty():
        raise PassphraseMissing(variable=PASSPHRASE_VARIABLE)
    passphrase = getpass.getpass("Passphrase of the backup: ")
    if is_new and getpass.getpass("The same passphrase again: ") != passphrase:
        raise PassphrasesDiffer
    return passphrase
