"""Generates the secrets of a new data folder, and reads them at every later start.

All secrets together are the bundle. It is the content of `secrets.json`, or of a variable on machines without a disk.
"""

import base64
import fcntl
import json
import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

from cairn.auth import new_signing_key
from cairn.kit import Problem, replace_file, write_once
from cairn.messaging import new_push_key
from cairn.storage import new_sealing_key
from cairn.waivers import from_pem, new_seal_key

SECRETS_VARIABLE = "CAIRN_SECRETS"
# The secrets by package. Most are texts; earlier secrets that are still accepted are lists of texts.
Bundle: TypeAlias = dict[str, dict[str, Any]]

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


class SecretsVariableInvalid(Problem):
    code = "secrets_variable_invalid"
    message = (
        "CAIRN_SECRETS cannot be used: {reason}. It must be the line that `cairn keys --bundle` prints, as it is or in "
        "base64."
    )


class SealKeyUnreadable(Problem):
    code = "seal_key_unreadable"
    message = (
        "{path} does not contain a readable key and certificate. Restore it from a backup, or move it away to have a "
        "new seal made; documents of the old seal stay valid."
    )


def generated_secrets(data: Path, environment: Mapping[str, str], *, are_needed: bool) -> Bundle:
    """Returns the secrets of CAIRN_SECRETS, or those of the data folder. Their file can be read only by its owner.

    `are_needed` is false if the environment contains all of the secrets in variables of their own.
    """
    path = data / _FILE
    try:
        data.mkdir(parents=True, exist_ok=True)
        if not os.access(data, os.W_OK):
            raise PermissionError(13, "permission denied")
        if SECRETS_VARIABLE in environment:
            return _from_variable(environment)
        if not path.exists():
            if are_needed and any((data / name).exists() for name in _SIGNS_OF_USE):
                raise SecretsMissing(data=data)
            write_once(path, json.dumps(_first_secrets(data), indent=2).encode())
        return change_secrets(data, _add_missing_secrets)
    except OSError as error:
        raise DataFolderNotWritable(path=data, reason=(error.strerror or str(error)).lower()) from error


def change_secrets(data: Path, change: Callable[[Path, Bundle], Bundle]) -> Bundle:
    """Replaces the bundle of the data folder with what `change` returns."""
    path = data / _FILE
    with path.open("rb") as file:
        # If two processes start at the same time, the second one waits here and then finds nothing missing.
        fcntl.flock(file, fcntl.LOCK_EX)
        existing = _parse(path)
        changed = change(data, existing)
        if changed != existing:
            replace_file(path, json.dumps(changed, indent=2).encode())
        _remove_adopted_seal_key(data, changed)
        return changed


def _add_missing_secrets(data: Path, existing: Bundle) -> Bundle:
    """Adds the secrets that an older version did not know yet. Existing secrets are never replaced."""
    if not _missing_names(existing):
        return existing
    added = {package: {**names, **existing.get(package, {})} for package, names in _first_secrets(data).items()}
    return {**existing, **added}


def _from_variable(environment: Mapping[str, str]) -> Bundle:
    """Nothing can be added to a variable, so it must be complete."""
    text = environment[SECRETS_VARIABLE].strip()
    try:
        bundle = json.loads(text if text.startswith("{") else base64.b64decode(text, validate=True))
    except ValueError as error:
        raise SecretsVariableInvalid(reason="it is not JSON") from error
    if not _is_bundle(bundle):
        raise SecretsVariableInvalid(reason="it does not contain secrets by package")
    for package, name in _missing_names(bundle):
        if f"CAIRN_{package}__{name}".upper() not in environment:
            raise SecretsVariableInvalid(reason=f"it does not contain {package}.{name}")
    return {"auth": {}, **bundle}


def _parse(path: Path) -> Bundle:
    try:
        content = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise SecretsUnreadable(path=path, reason="it is not JSON") from error
    if not _is_bundle(content):
        raise SecretsUnreadable(path=path, reason="it is not a list of secrets by package")
    return content


def _is_bundle(content: object) -> TypeGuard[Bundle]:
    return isinstance(content, dict) and all(isinstance(names, dict) for names in content.values())


_NAMES = {
    "auth": ("jwt_secret", "signing_key"),
    "database": ("login_password",),
    "storage": ("sealing_key",),
    "push": ("private_key",),
    "documents": ("seal_key",),
}


def _missing_names(bundle: Bundle) -> list[tuple[str, str]]:
    return [
        (package, name) for package, names in _NAMES.items() for name in names if name not in bundle.get(package, {})
    ]


def _first_secrets(data: Path) -> Bundle:
    seal_key = _earlier_seal_key(data)
    return new_secrets() if seal_key is None else {**new_secrets(), "documents": {"seal_key": seal_key}}


def new_secrets() -> Bundle:
    return {
        "auth": {"jwt_secret": secrets.token_urlsafe(48), "signing_key": new_signing_key()},
        "database": {"login_password": secrets.token_urlsafe(24)},
        "storage": {"sealing_key": new_sealing_key()},
        "push": {"private_key": new_push_key()},
        "documents": {"seal_key": new_seal_key()},
    }


def _earlier_seal_key(data: Path) -> str | None:
    """Returns the key that a version before 0.2 generated into a file of its own."""
    path = _earlier_seal_file(data)
    if not path.exists():
        return None
    try:
        from_pem(path.read_bytes())
        return path.read_text("ascii")
    except ValueError as error:
        raise SealKeyUnreadable(path=path) from error


def _remove_adopted_seal_key(data: Path, bundle: Bundle) -> None:
    path = _earlier_seal_file(data)
    if path.exists() and path.read_text("ascii", "replace") == bundle["documents"]["seal_key"]:
        path.unlink()


def _earlier_seal_file(data: Path) -> Path:
    return data / "seal" / "own.pem"
