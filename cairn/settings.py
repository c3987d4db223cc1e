"""Loads all settings. Each package declares its own, and this module reads them from the environment.

Command-line flags override `CAIRN_…` variables, which override the secrets in CAIRN_SECRETS or in the data folder.
Every other setting has a default that works on a laptop.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_origin
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from cairn.auth import AuthSettings
from cairn.billing import BillingSettings
from cairn.db import with_login_role
from cairn.deletion import DeletionSettings
from cairn.generated_secrets import SECRETS_VARIABLE, Bundle, generated_secrets
from cairn.inquiries import InquirySettings
from cairn.integrations import IntegrationSettings
from cairn.kit import Problem, first_wrong_field
from cairn.logs import LogSettings
from cairn.messaging import MessagingSettings, PushSettings
from cairn.metrics import MetricsSettings
from cairn.realtime import RealtimeSettings
from cairn.rest import RestSettings
from cairn.storage import StorageSettings
from cairn.tracing import TracingSettings
from cairn.trips import TripSettings
from cairn.waivers import DocumentSettings, WaiverSettings

PREFIX = "CAIRN_"
# If the environment contains all of these secrets, a data folder that has been used may lack its secrets.json.
_SECRETS = (
    "AUTH__JWT_SECRET",
    "AUTH__SIGNING_KEY",
    "DATABASE__LOGIN_PASSWORD",
    "STORAGE__SEALING_KEY",
    "PUSH__PRIVATE_KEY",
)
# These variables of commands and of our development tools have the same prefix, but are not settings of the server.
_TOOL_VARIABLES = frozenset({"CAIRN_CHROMIUM", "CAIRN_ORIGIN", "CAIRN_ANON_KEY", "CAIRN_BACKUP_PASSPHRASE"})


class DatabaseSettings(BaseModel, frozen=True, hide_input_in_errors=True):
    # The URL of the owner of the database. If it is not set, the embedded PostgreSQL is used.
    url: SecretStr | None = None
    # If `url` leads to a pooler in transaction mode: the URL of the same database without the pooler.
    direct_url: SecretStr | None = None
    login_password: SecretStr
    pool_size: int = Field(default=8, ge=1)
    # Further connections of each pool, for callers that already use their share, as long as their requests are fast.
    extra_connections: int = Field(default=5, ge=0)

    @field_validator("url", "direct_url")
    @classmethod
    def _check_url(cls, url: SecretStr | None) -> SecretStr | None:
        if url is None:
            return None
        try:
            parts = urlsplit(url.get_secret_value())
            # Reading the port raises an error if it is not a number.
            scheme, _ = parts.scheme, parts.port
        except ValueError:
            scheme = ""
        if scheme not in ("postgresql", "postgres"):
            raise ValueError("must be a URL such as postgresql://user:password@host:5432/database")
        return url

    @field_validator("direct_url")
    @classmethod
    def _check_direct_url(cls, direct_url: SecretStr | None, other: ValidationInfo) -> SecretStr | None:
        if direct_url is not None and other.data.get("url") is None:
            raise ValueError("CAIRN_DATABASE__URL must then be the URL of the pooler")
        return direct_url

    @property
    def owner_url(self) -> str | None:
        """The URL of the owner without a pooler in transaction mode, or None for the embedded PostgreSQL."""
        url = self.direct_url or self.url
        return None if url is None else url.get_secret_value()

    @property
    def pooler_url(self) -> str | None:
        """The URL with which the server logs in through a pooler in transaction mode, if there is one."""
        if self.direct_url is None or self.url is None:
            return None
        return with_login_role(self.url.get_secret_value(), self.login_password.get_secret_value())


class ConnectionSettings(BaseModel, frozen=True):
    # How many HTTP connections one IP network may have open. Trusted proxies serve many networks, so their connections
    # are not limited. Behind them, each network may have this many open requests.
    per_network: int = Field(default=1000, ge=1)
    # A connection on which no complete head of a request arrives for this long is closed.
    head_timeout: timedelta = timedelta(seconds=20)
    # A connection stays open for this long between two requests. Proxies close theirs after one or two minutes. If the
    # server closed one first, the proxy might be sending a request on it at that moment.
    keep_alive: timedelta = timedelta(seconds=150)
    # After the signal to stop, the server still accepts requests for this long, while `/health/ready` fails.
    drain: timedelta = Field(default=timedelta(0), ge=timedelta(0), le=timedelta(minutes=5))
    # At least `body_min_bytes` of a body must arrive in each period of this length. For resumable uploads, one byte is
    # enough.
    body_timeout: timedelta = timedelta(seconds=30)
    body_min_bytes: int = Field(default=15_000, ge=1)
    # A connection whose client reads nothing of its response for this long is closed.
    read_timeout: timedelta = timedelta(seconds=60)
    # All clients together may have this many unread bytes of responses and realtime messages. If there are more,
    # connections are closed, beginning with the network with the most unread bytes.
    max_unread_bytes: int = Field(default=256 * 1024 * 1024, ge=1024 * 1024)
    # A limit of the same kind, for the unfinished messages of all websockets together.
    max_unfinished_bytes: int = Field(default=64 * 1024 * 1024, ge=1024 * 1024)


class _FlagSettings(BaseSettings):
    """The settings that have flags. They are read first, because the data folder contains the generated secrets."""

    model_config = SettingsConfigDict(frozen=True, env_prefix=PREFIX, hide_input_in_errors=True)

    data: Path = Path("cairn-data")
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    # Server processes that share the port of `cairn serve`.
    processes: int = Field(default=1, ge=1, le=64)


class Settings(_FlagSettings):
    model_config = SettingsConfigDict(
        frozen=True, env_prefix=PREFIX, env_nested_delimiter="__", hide_input_in_errors=True
    )

    # The header X-Forwarded-For is trusted only if the request comes from one of these addresses.
    trusted_proxies: str = "127.0.0.1"
    log: LogSettings = LogSettings()
    metrics: MetricsSettings = MetricsSettings()
    tracing: TracingSettings = TracingSettings()
    connections: ConnectionSettings = ConnectionSettings()
    database: DatabaseSettings
    auth: AuthSettings
    messaging: MessagingSettings = MessagingSettings()
    push: PushSettings
    rest: RestSettings = RestSettings()
    realtime: RealtimeSettings = RealtimeSettings()
    storage: StorageSettings
    waivers: WaiverSettings = WaiverSettings()
    documents: DocumentSettings
    inquiries: InquirySettings = InquirySettings()
    trips: TripSettings = TripSettings()
    integrations: IntegrationSettings = IntegrationSettings()
    billing: BillingSettings = BillingSettings()
    deletion: DeletionSettings = DeletionSettings()

    @field_validator("trusted_proxies")
    @classmethod
    def _check_trusted_proxies(cls, addresses: str) -> str:
        """A name or a misspelled address would be accepted silently, and the proxy would not be trusted."""
        try:
            for address in addresses.split(",") if addresses not in ("", "*") else ():
                ip_network(address.strip())
        except ValueError as error:
            raise ValueError("must be * or IP addresses and networks, such as 10.0.0.5,10.1.0.0/16") from error
        return addresses

    @property
    def sealing_secret(self) -> str:
        """The secret that encrypts the credentials of companies, such as API keys, in the database."""
        return (self.auth.sealing_secret or self.auth.jwt_secret).get_secret_value()

    @property
    def certificate_secret(self) -> str:
        """The secret with which servers of this deployment mark the certificates that they list in the database."""
        return self.storage.sealing_key.get_secret_value()

    @property
    def secrets_with_stored_fingerprints(self) -> dict[str, tuple[str, ...]]:
        """The secrets whose fingerprints the database remembers, each followed by the retired ones."""
        return {
            f"{PREFIX}AUTH__SEALING_SECRET": (self.sealing_secret, *self.auth.retired_sealing_values),
            f"{PREFIX}STORAGE__SEALING_KEY": self.storage.sealing_keys,
            f"{PREFIX}AUTH__JWT_SECRET": (self.auth.jwt_secret.get_secret_value(), *self.auth.retired_jwt_values),
            f"{PREFIX}AUTH__SIGNING_KEY": self.auth.signing_key_hashes,
        }

    @property
    def bundle(self) -> Bundle:
        """All secrets in the form of `secrets.json`, wherever they come from."""
        secrets: dict[str, dict[str, object]] = {
            "auth": {
                "jwt_secret": self.auth.jwt_secret,
                "signing_key": self.auth.signing_key,
                "sealing_secret": self.auth.sealing_secret,
                "retired_keys": self.auth.retired_keys,
                "retired_jwt_secrets": self.auth.retired_jwt_secrets,
                "retired_sealing_secrets": self.auth.retired_sealing_secrets,
            },
            "database": {"login_password": self.database.login_password},
            "storage": {
                "sealing_key": self.storage.sealing_key,
                "retired_sealing_keys": self.storage.retired_sealing_keys,
            },
            "push": {"private_key": self.push.private_key},
            "documents": {
                "seal_key": self.documents.seal_key,
                "retired_certificates": self.documents.retired_certificates,
            },
        }
        return {
            package: {name: _revealed(secret) for name, secret in named.items() if secret}
            for package, named in secrets.items()
        }


def _revealed(secret: object) -> object:
    """Returns a secret as JSON can contain it."""
    if isinstance(secret, tuple):
        return [_revealed(one) for one in secret]
    return secret.get_secret_value() if isinstance(secret, SecretStr) else secret


class SettingsInvalid(Problem):
    code = "settings_invalid"
    message = "{name} cannot be used: {reason}. The settings are described in docs/operations.md."


def load_settings(**flags: object) -> Settings:
    """Loads the settings. `flags` come from the command line; None means that a flag was not given."""
    overrides: dict[str, Any] = {name: value for name, value in flags.items() if value is not None}
    _refuse_unknown_variables(os.environ)
    with _naming_invalid_settings():
        flag_settings = _FlagSettings(**overrides)
        host = "127.0.0.1" if flag_settings.host == "0.0.0.0" else flag_settings.host  # noqa: S104 - compared, not bound
        site_url = f"http://{host}:{flag_settings.port}"
        generated = generated_secrets(flag_settings.data, os.environ, are_needed=not _are_secrets_set(os.environ))
        settings = _with_defaults({**generated, "auth": {**generated["auth"], "site_url": site_url}}, overrides)
    if settings.auth.external_phone_enabled and not settings.messaging.twilio.is_complete:
        raise SettingsInvalid(
            name="CAIRN_AUTH__EXTERNAL_PHONE_ENABLED",
            reason="it needs an SMS gateway; set CAIRN_MESSAGING__TWILIO__ACCOUNT_SID, …AUTH_TOKEN and …SENDER",
        )
    first_port, worker_port = settings.metrics.port, settings.metrics.worker_port
    if first_port is not None and worker_port in range(first_port, first_port + settings.processes):
        reason = f"the server processes use the ports from {first_port}, one for each process"
        raise SettingsInvalid(name="CAIRN_METRICS__WORKER_PORT", reason=reason)
    return settings


def data_folder(flag: Path | None) -> Path:
    """Returns the data folder of the flag or the environment, without creating it."""
    with _naming_invalid_settings():
        return flag or _FlagSettings().data


@contextmanager
def _naming_invalid_settings() -> Iterator[None]:
    """Reports the first invalid setting by its name, and without its value, which may be a secret."""
    try:
        yield
    except SettingsError as error:
        reason = 'its value must be JSON, for example a list such as ["public"]'
        raise SettingsInvalid(name=_unparsed_variable(os.environ), reason=reason) from error
    except ValidationError as error:
        wrong = first_wrong_field(error)
        name = PREFIX + wrong.name("__").upper()
        raise SettingsInvalid(name=name, reason=wrong.reason.removeprefix("Value error, ")) from error


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


def _are_secrets_set(environment: Mapping[str, str]) -> bool:
    return all(f"{PREFIX}{name}" in environment for name in _SECRETS)


def _unparsed_variable(environment: Mapping[str, str]) -> str:
    """Returns the name of the variable that should contain JSON and does not."""
    for name, field in _variables(Settings):
        if name in environment and _needs_json(field.annotation) and not _is_json(environment[name]):
            return name
    return "A setting"


def _needs_json(annotation: Any) -> bool:
    return nested_model(annotation) is not None or get_origin(annotation) not in (None, UnionType, Union, Literal)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _refuse_unknown_variables(environment: Mapping[str, str]) -> None:
    known = {*variable_names(Settings), *_TOOL_VARIABLES, SECRETS_VARIABLE}
    for name in environment:
        if name.startswith(PREFIX) and name not in known:
            raise SettingsInvalid(name=name, reason="there is no such setting")


def variable_names(model: type[BaseModel], prefix: str = PREFIX) -> Iterator[str]:
    """Yields the names of all variables.

    A nested model has a variable for each of its fields, and one for all of them together as a JSON value.
    """
    return (name for name, _ in _variables(model, prefix))


def _variables(model: type[BaseModel], prefix: str = PREFIX) -> Iterator[tuple[str, FieldInfo]]:
    for name, field in model.model_fields.items():
        variable = prefix + name.upper()
        yield variable, field
        nested = nested_model(field.annotation)
        if nested is not None:
            yield from _variables(nested, f"{variable}__")


def nested_model(annotation: Any) -> type[BaseModel] | None:
    candidates = [annotation, *getattr(annotation, "__args__", ())]
    return next(
        (candidate for candidate in candidates if isinstance(candidate, type) and issubclass(candidate, BaseModel)),
        None,
    )
