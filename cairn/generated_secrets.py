"""Generates the secrets of a new data folder, and reads them at every later start."""

import fcntl
import json
import os
import secrets
from pathlib import Path
from typing import Any

from cairn.auth import new_signing_key
from cairn.kit import Problem, replace_file, write_once
from cairn.messaging import new_push_key
from cairn.storage import new_sealing_key

_FILE = "secrets.json"
# Only a data folder that has been used contains one of these.
_SIGNS_OF_USE = ("postgres", "storage", "seal")


class DataFolderNotWritable(Problem):
    code = "data_folder_not_writable"
    message = "The data folder {path} cannot be written to ({reason}). Choose another with --data or CAIRN_DATA."


class SecretsMissing(Problem):
    code = "secrets_missing"
    message = (
        "The data folder {data} has been used, but its secrets.json is missing. With new secrets, its encrypted files "
        "could not be read. Restore secrets.json from a backup, or start with an empty data folder: --data."
    )


class SecretsUnreadable(Problem):
    code = "secrets_unreadable"
    message = "The secrets in {path} cannot be read ({reason}). Restore the file from a backup."


def generated_secrets(data: Path, *, are_needed: bool) -> dict[str, Any]:
    """Returns the secrets of the data folder. Only the owner can read their file.

    `are_needed` is false if the environment contains all of the secrets.
    """
    path = data / _FILE
    try:
        data.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            if are_needed and any((data / name).exists() for name in _SIGNS_OF_USE):
                raise SecretsMissing(data=data)
            write_once(path, json.dumps(_new_secrets(), indent=2).encode())
        if not os.access(data, os.W_OK):
            raise PermissionError(13, "permission denied")
        return _add_missing_secrets(path)
    except OSError as error:
        raise DataFolderNotWritable(path=data, reason=(error.strerror or str(error)).lower()) from error


def _add_missing_secrets(path: Path) -> dict[str, Any]:
    """Adds the secrets that an older version did not know yet. Existing secrets are never replaced."""
    with path.open("rb") as file:
        # If two processes start at the same time, the second one waits here and then finds nothing missing.
        fcntl.flock(file, fcntl.LOCK_EX)
        existing = _parse(path)
        complete = {package: {**new, **existing.get(package, {})} for package, new in _new_secrets().items()}
        if complete != existing:
            replace_file(path, json.dumps({**existing, **complete}, indent=2).encode())
        return {**existing, **complete}


def _parse(path: Path) -> dict[str, dict[str, Any]]:
    try:
        content = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise SecretsUnreadable(path=path, reason="it is not JSON") from error
    if not isinstance(content, dict) or not all(isinstance(group, dict) for group in content.values()):
        raise SecretsUnreadable(path=path, reason="it is not a list of secrets by package")
    return content


def _new_secrets() -> dict[str, Any]:
    return {
        "auth": {"jwt_secret": secrets.token_urlsafe(48), "signing_key": new_signing_key()},
        "database": {"login_password": secrets.token_urlsafe(24)},
        "storage": {"sealing_key": new_sealing_key()},
        "push": {"private_key": new_push_key()},
    }
