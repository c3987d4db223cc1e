"""All settings: each room asks for its part here, and this is the only place that reads the environment.

From strongest to weakest: what the command line says, `CAIRN_…` variables, what was generated into the data folder,
the defaults, which work on a laptop.
"""

import fcntl
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from cairn.auth import AuthSettings, new_signing_key
from cairn.billing import BillingSettings
from cairn.inquiries import InquirySettings
from cairn.integrations import IntegrationSettings
from cairn.kit import Problem
from cairn.messaging import MessagingSettings, PushSettings, new_push_key
from cairn.realtime import RealtimeSettings
from cairn.rest import RestSettings
from cairn.storage import StorageSettings, new_sealing_key
from cairn.waivers import DocumentSettings

PREFIX = "CAIRN_"
# Variables of the tools around the product that share its prefix.
_NOT_SETTINGS = frozenset({"CAIRN_CHROMIUM", "CAIRN_ORIGIN", "CAIRN_ANON_KEY"})


class DatabaseSettings(BaseModel, frozen=True):
    # Empty: the embedded PostgreSQL in the data folder. Otherwise a role that may create roles and schemas.
    url: SecretStr | None = None
    login_password: SecretStr
    pool_size: int = 8


class _Places(BaseSettings):
    """Known before everything else, because the generated secrets lie in the data folder."""

    model_config = SettingsConfigDict(frozen=True, env_prefix=PREFIX, hide_input_in_errors=True)

    data: Path = Path("cairn-data")
    host: str = "127.0.0.1"
    port: int = 8000


class Settings(_Places):
    model_config = SettingsConfigDict(
        frozen=True, env_prefix=PREFIX, env_nested_delimiter="__", hide_input_in_errors=True
    )

    # Whose X-Forwarded-For is believed; everything else is the address that connected.
    trusted_proxies: str = "127.0.0.1"
    database: DatabaseSettings
    auth: AuthSettings
    messaging: MessagingSettings = MessagingSettings()
    push: PushSettings
    rest: RestSettings = RestSettings()
    realtime: RealtimeSettings = RealtimeSettings()
    storage: StorageSettings
    documents: DocumentSettings = DocumentSettings()
    inquiries: InquirySettings = InquirySettings()
    integrations: IntegrationSettings = IntegrationSettings()
    billing: BillingSettings = BillingSettings()

    @property
    def sealing_secret(self) -> str:
        """Seals what others have entrusted to us and we must be able to read again."""
        return (self.auth.sealing_secret or self.auth.jwt_secret).get_secret_value()


class SettingsInvalid(Problem):
    code = "settings_invalid"
    message = "{name} cannot be used: {reason}. The settings are described in docs/operations.md."


class DataFolderNotWritable(Problem):
    code = "data_folder_not_writable"
    message = "The data folder {path} cannot be written to ({reason}). Choose another with --data or CAIRN_DATA."


def load_settings(**flags: object) -> Settings:
    """`flags` are what the command line set; None means it did not."""
    given: dict[str, Any] = {name: value for name, value in flags.items() if value is not None}
    _refuse_unknown_variables(os.environ)
    try:
        places = _Places(**given)
        site = f"http://{'127.0.0.1' if places.host == '0.0.0.0' else places.host}:{places.port}"  # noqa: S104 - compared, not bound
        generated = _generated_secrets(places.data)
        settings = _with_defaults({**generated, "auth": {**generated["auth"], "site_url": site}}, given)
    except ValidationError as error:
        first = error.errors()[0]
        name = PREFIX + "__".join(str(part) for part in first["loc"]).upper()
        raise SettingsInvalid(name=name, reason=first["msg"]) from error
    if settings.auth.external_phone_enabled and not settings.messaging.twilio.is_complete:
        raise SettingsInvalid(
            name="CAIRN_AUTH__EXTERNAL_PHONE_ENABLED",
            reason="there is no SMS gateway; CAIRN_MESSAGING__TWILIO__ACCOUNT_SID, …AUTH_TOKEN and …SENDER set one up",
        )
    return settings


def _with_defaults(defaults: dict[str, Any], given: dict[str, Any]) -> Settings:
    class Loaded(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
            file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the same
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return init_settings, env_settings, InitSettingsSource(settings_cls, init_kwargs=defaults)

    return Loaded(**given)


def _generated_secrets(data: Path) -> dict[str, Any]:
    """Made once, kept for ever, readable by the owner alone."""
    path = data / "secrets.json"
    try:
        data.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _write_once(path, json.dumps(_new_secrets(), indent=2))
        if not os.access(data, os.W_OK):
            raise PermissionError(13, "permission denied")
        return _completed(path)
    except OSError as error:
        raise DataFolderNotWritable(path=data, reason=(error.strerror or str(error)).lower()) from error


def _completed(path: Path) -> dict[str, Any]:
    """A folder of an older version lacks what came later; what it has is never made anew."""
    with path.open("rb") as file:
        # Two processes may start at once; the second waits here and then finds nothing missing.
        fcntl.flock(file, fcntl.LOCK_EX)
        kept: dict[str, Any] = json.loads(path.read_text("utf-8"))
        whole = {room: {**made, **kept.get(room, {})} for room, made in _new_secrets().items()}
        if whole != kept:
            _replace(path, json.dumps({**kept, **whole}, indent=2))
        return {**kept, **whole}


def _new_secrets() -> dict[str, Any]:
    return {
        "auth": {"jwt_secret": secrets.token_urlsafe(48), "signing_key": new_signing_key()},
        "database": {"login_password": secrets.token_urlsafe(24)},
        "storage": {"sealing_key": new_sealing_key()},
        "push": {"private_key": new_push_key()},
    }


def _write_once(path: Path, text: str) -> None:
    """Two processes may start at once; a hard link succeeds for one of them and both then read the same file."""
    draft = _drafted(path, text)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _replace(path: Path, text: str) -> None:
    _drafted(path, text).replace(path)


def _drafted(path: Path, text: str) -> Path:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    return draft


def _refuse_unknown_variables(environment: Mapping[str, str]) -> None:
    known = set(variable_names(Settings)) | _NOT_SETTINGS
    for name in environment:
        # A nested setting may also be given whole, as JSON; then only its head is spelled out.
        if name.startswith(PREFIX) and name not in known:
            raise SettingsInvalid(name=name, reason="there is no such setting")


def variable_names(model: type[BaseModel], prefix: str = PREFIX) -> Iterator[str]:
    """Every variable the settings understand."""
    for name, field in model.model_fields.items():
        variable = prefix + name.upper()
        yield variable
        nested = _nested_model(field.annotation)
        if nested is not None:
            yield from variable_names(nested, f"{variable}__")


def _nested_model(annotation: Any) -> type[BaseModel] | None:
    candidates = [annotation, *getattr(annotation, "__args__", ())]
    return next((kind for kind in candidates if isinstance(kind, type) and issubclass(kind, BaseModel)), None)
