"""Makes the bundle of all secrets, and rotates one of them.

Data that the old secret has encrypted, signed or sealed stays readable and valid, because the bundle keeps that secret,
or its public part, as retired. The login password and the push key are not kept: browsers have to subscribe again.
"""

import copy
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from cairn.auth import public_signing_key
from cairn.generated_secrets import SECRETS_VARIABLE, Bundle, change_secrets, new_secrets
from cairn.kit import Problem
from cairn.settings import PREFIX, Settings
from cairn.waivers import from_pem, known_certificates, pem_of, store_certificates

BUNDLE_WARNING = (
    "These are all secrets of this deployment. With them, someone can read its encrypted data and seal documents in "
    "its name. Keep them where you keep passwords."
)


class SecretInVariable(Problem):
    code = "secret_in_variable"
    message = (
        "{name} is set, and a variable overrides the bundle, so the new secret would not be used. Move its value to "
        "secrets.json or CAIRN_SECRETS first."
    )


def complete_bundle(settings: Settings) -> Bundle:
    """Returns the secrets, and the certificates of all earlier seal keys, which are otherwise in the data folder."""
    store_certificates(settings.data, settings.documents)
    current = settings.documents.seal_key.get_secret_value()
    certificates = [pem_of(certificate).decode() for certificate in known_certificates(settings.data)]
    bundle = settings.bundle
    bundle["documents"]["retired_certificates"] = [pem for pem in certificates if pem not in current]
    return bundle


def rotate_secret(settings: Settings, name: str, environment: Mapping[str, str] = os.environ) -> Bundle | None:
    """Replaces the secret in `secrets.json` with a new one. If CAIRN_SECRETS is set, returns its new value instead."""

    def rotate(_data: Path, bundle: Bundle) -> Bundle:
        rotated = copy.deepcopy(bundle)
        ROTATIONS[name](rotated, new_secrets())
        _refuse_variables(bundle, rotated, environment)
        return rotated

    if SECRETS_VARIABLE in environment:
        return rotate(settings.data, complete_bundle(settings))
    change_secrets(settings.data, rotate)
    return None


def rotation_notice(name: str, bundle: Bundle | None) -> str:
    """Returns what the operator has to do after `rotate_secret` returned `bundle`."""
    if bundle is None:
        return f"secrets.json contains a new {name}. Restart all servers and workers."
    return f"Set CAIRN_SECRETS to this line with a new {name}, and restart all servers and workers. {BUNDLE_WARNING}"


def _refuse_variables(bundle: Bundle, rotated: Bundle, environment: Mapping[str, str]) -> None:
    for package, names in rotated.items():
        for name, secret in names.items():
            variable = f"{PREFIX}{package}__{name}".upper()
            if secret != bundle[package].get(name) and variable in environment:
                raise SecretInVariable(name=variable)


def _rotate_jwt_secret(bundle: Bundle, new: Bundle) -> None:
    auth = bundle["auth"]
    # If there is no sealing secret yet, stored secrets are encrypted with the old JWT secret, which is kept for that.
    auth.setdefault("sealing_secret", auth["jwt_secret"])
    _retire(auth, "jwt_secret", "retired_jwt_secrets")
    auth["jwt_secret"] = new["auth"]["jwt_secret"]


def _rotate_sealing_secret(bundle: Bundle, new: Bundle) -> None:
    auth = bundle["auth"]
    auth.setdefault("sealing_secret", auth["jwt_secret"])
    _retire(auth, "sealing_secret", "retired_sealing_secrets")
    auth["sealing_secret"] = new["auth"]["jwt_secret"]


def _rotate_signing_key(bundle: Bundle, new: Bundle) -> None:
    auth = bundle["auth"]
    auth["retired_keys"] = [public_signing_key(auth["signing_key"]), *auth.get("retired_keys", [])]
    auth["signing_key"] = new["auth"]["signing_key"]


def _rotate_login_password(bundle: Bundle, new: Bundle) -> None:
    bundle["database"] = new["database"]


def _rotate_storage_key(bundle: Bundle, new: Bundle) -> None:
    _retire(bundle["storage"], "sealing_key", "retired_sealing_keys")
    bundle["storage"]["sealing_key"] = new["storage"]["sealing_key"]


def _rotate_push_key(bundle: Bundle, new: Bundle) -> None:
    bundle["push"]["private_key"] = new["push"]["private_key"]


def _rotate_seal_key(bundle: Bundle, new: Bundle) -> None:
    documents = bundle["documents"]
    _, certificate = from_pem(documents["seal_key"].encode())
    documents["retired_certificates"] = [pem_of(certificate).decode(), *documents.get("retired_certificates", [])]
    documents["seal_key"] = new["documents"]["seal_key"]


def _retire(names: dict[str, object], name: str, retired_name: str) -> None:
    retired = names.get(retired_name, [])
    assert isinstance(retired, list), "the settings were loaded, so they were checked"
    names[retired_name] = [names[name], *retired]


ROTATIONS: dict[str, Callable[[Bundle, Bundle], None]] = {
    "jwt-secret": _rotate_jwt_secret,
    "signing-key": _rotate_signing_key,
    "sealing-secret": _rotate_sealing_secret,
    "login-password": _rotate_login_password,
    "storage-key": _rotate_storage_key,
    "push-key": _rotate_push_key,
    "seal-key": _rotate_seal_key,
}
