"""Loads all settings. Each package declares its own, but only this module reads the environment.

Command-line flags override `CAIRN_…` variables, which override the secrets generated into the data folder.
Every other setting has a default that works on a laptop.
"""

import fcntl
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from cairn.auth import AuthSettings, new_signing_key
from cairn.billing import BillingSettings
from cairn.inquiries import InquirySettings
from cairn.integrations import IntegrationSettings
from cairn.kit import Problem, replace_file, write_once
from cairn.messaging import MessagingSettings, PushSettings, new_push_key
from cairn.realtime import RealtimeSettings
from cairn.rest import RestSettings
from cairn.storage import StorageSettings, new_sealing_key
from cairn.waivers import DocumentSettings, WaiverSettings

PREFIX = "CAIRN_"
# These variables of our development tools have the same prefix, but are not settings of the server.
_TOOL_VARIABLES = frozenset({"CAIRN_CHROMIUM", "CAIRN_ORIGIN", "CAIRN_ANON_KEY"})


class DatabaseSettings(BaseModel, frozen=True):
    # The URL of a role that may create roles and schemas. If it is not set, the embedded PostgreSQL is used.
    url: SecretStr | None = None
    login_password: SecretStr
    pool_size: int = 8


class ConnectionSettings(BaseModel, frozen=True):
    # Open HTTP connections of one IP network. Trusted proxies are not limited, because they serve many networks.
    per_network: int = Field(default=1000, ge=1)
    # A connection on which no complete head of a request arrives for this long is closed.
    head_timeout: timedelta = timedelta(seconds=20)
    # A body must bring at least `body_min_bytes` in each period of this length. Resumable uploads need only one byte.
    body_timeout: timedelta = timedelta(seconds=30)
    body_min_bytes: int = Field(default=15_000, ge=1)
    # A connection whose client reads nothing of its response for this long is closed.
    read_timeout: timedelta = timedelta(seconds=60)


class _Locations(BaseSettings):
    """The settings that are read first, because the data folder contains the generated secrets."""

    model_config = SettingsConfigDict(frozen=True, env_prefix=PREFIX, hide_input_in_errors=True)

    data: Path = Path("cairn-data")
    host: str = "127.0.0.1"
    port: int = 8000


class Settings(_Locations):
    model_config = SettingsConfigDict(
        frozen=True, env_prefix=PREFIX, env_nested_delimiter="__", hide_input_in_errors=True
    )

    # The header X-Forwarded-For is trusted only if the request comes from one of these addresses.
    trusted_proxies: str = "127.0.0.1"
    connections: ConnectionSettings = ConnectionSettings()
    database: DatabaseSettings
    auth: AuthSettings
    messaging: MessagingSettings = MessagingSettings()
    push: PushSettings
    rest: RestSettings = RestSettings()
    realtime: RealtimeSettings = RealtimeSettings()
    storage: StorageSettings
    waivers: WaiverSettings = WaiverSettings()
    documents: DocumentSettings = DocumentSettings()
    inquiries: InquirySettings = InquirySettings()
    integrations: IntegrationSettings = IntegrationSettings()
    billing: BillingSettings = BillingSettings()

    @property
    def sealing_secret(self) -> str:
        """The secret that encrypts the credentials of companies, such as API keys, in the database."""
        return (self.auth.sealing_secret or self.auth.jwt_secret).get_secret_value()


class SettingsInvalid(Problem):
    code = "settings_invalid"
    message = "{name} cannot be used: {reason}. The settings are described in docs/operations.md."


class DataFolderNotWritable(Problem):
    code = "data_folder_not_writable"
    message = "The data folder {path} cannot be written to ({reason}). Choose another with --data or CAIRN_DATA."


def load_settings(**flags: object) -> Settings:
    """Loads the settings. `flags` come from the command line; None means that a flag was not given."""
    overrides: dict[str, Any] = {name: value for name, value in flags.items() if value is not None}
    _refuse_unknown_variables(os.environ)
    try:
        locations = _Locations(**overrides)
        site_url = f"http://{'127.0.0.1' if locations.host == '0.0.0.0' else locations.host}:{locations.port}"  # noqa: S104 - compared, not bound
        generated = _generated_secrets(locations.data)
        settings = _with_defaults({**generated, "auth": {**generated["auth"], "site_url": site_url}}, overrides)
    except ValidationError as error:
        first_error = error.errors()[0]
        name = PREFIX + "__".join(str(part) for part in first_error["loc"]).upper()
        raise SettingsInvalid(name=name, reason=first_error["msg"]) from error
    if settings.auth.external_phone_enabled and not settings.messaging.twilio.is_complete:
        raise SettingsInvalid(
            name="CAIRN_AUTH__EXTERNAL_PHONE_ENABLED",
            reason="it needs an SMS gateway; set CAIRN_MESSAGING__TWILIO__ACCOUNT_SID, …AUTH_TOKEN and …SENDER",
        )
    return settings


def _with_defaults(defaults: dict[str, Any], overrides: dict[str, Any]) -> Settings:
    class Loaded(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
            file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library's signature
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return init_settings, env_settings, InitSettingsSource(settings_cls, init_kwargs=defaults)

    return Loaded(**overrides)


def _generated_secrets(data: Path) -> dict[str, Any]:
    """Returns the secrets that were generated at the first start. Only the owner can read their file."""
    path = data / "secrets.json"
    try:
        data.mkdir(parents=True, exist_ok=True)
        if not path.exists():
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
        existing: dict[str, Any] = json.loads(path.read_text("utf-8"))
        complete = {package: {**new, **existing.get(package, {})} for package, new in _new_secrets().items()}
        if complete != existing:
            replace_file(path, json.dumps({**existing, **complete}, indent=2).encode())
        return {**existing, **complete}


def _new_secrets() -> dict[str, Any]:
    return {
        "auth": {"jwt_secret": secrets.token_urlsafe(48), "signing_key": new_signing_key()},
        "database": {"login_password": secrets.token_urlsafe(24)},
        "storage": {"sealing_key": new_sealing_key()},
        "push": {"private_key": new_push_key()},
    }


def _refuse_unknown_variables(environment: Mapping[str, str]) -> None:
    known = set(variable_names(Settings)) | _TOOL_VARIABLES
    for name in environment:
        # A nested setting may also be given as one JSON value under the name of its group.
        if name.startswith(PREFIX) and name not in known:
            raise SettingsInvalid(name=name, reason="there is no such setting")


def variable_names(model: type[BaseModel], prefix: str = PREFIX) -> Iterator[str]:
    """Yields the names of all variables, including those of nested models."""
    for name, field in model.model_fields.items():
        variable = prefix + name.upper()
        yield variable
        nested = nested_model(field.annotation)
        if nested is not None:
            yield from variable_names(nested, f"{variable}__")


def nested_model(annotation: Any) -> type[BaseModel] | None:
    candidates = [annotation, *getattr(annotation, "__args__", ())]
    return next(
        (candidate for candidate in candidates if isinstance(candidate, type) and issubclass(candidate, BaseModel)),
        None,
    )
