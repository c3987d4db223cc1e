"""Parses the `config` of a join message."""

import json
from hashlib import sha256
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from cairn.kit import first_wrong_field
from cairn.realtime.errors import InvalidJoin


class ReplayConfig(BaseModel, frozen=True):
    """`since` is in milliseconds since 1970. The maximum is the latest time of a JavaScript Date."""

    since: int = Field(ge=0, le=8_640_000_000_000)
    limit: int = Field(default=25, ge=1, le=25)


class BroadcastConfig(BaseModel, frozen=True):
    to_self: bool = Field(default=False, alias="self")
    ack: bool = False
    replay: ReplayConfig | None = None
    # The client wants a message as soon as messages that the database sends will arrive.
    replication_ready: bool | None = None


class PresenceConfig(BaseModel, frozen=True):
    key: str = Field(default="", max_length=255)
    # Clients that do not send this field expect presence.
    enabled: bool = True


class Binding(BaseModel, frozen=True):
    """One entry of `postgres_changes`. `original` is the received entry, because the reply must echo it unchanged."""

    event: Literal["*", "INSERT", "UPDATE", "DELETE"] = "*"
    schema_name: str = Field(default="*", alias="schema")
    table: str = "*"
    filter: str | None = None
    select: tuple[str, ...] | None = None
    original: dict[str, Any]

    @property
    def id(self) -> int:
        """The id is derived from the entry. It is never 0, and JavaScript can represent it exactly."""
        parameters = json.dumps(self.original, sort_keys=True).encode()
        return int.from_bytes(sha256(parameters).digest()[:6]) + 1

    def __str__(self) -> str:
        return f"event: {self.event}, schema: {self.schema_name}, table: {self.table}, filter: {self.filter or ''}"


class ChangesOptions(BaseModel, frozen=True):
    # If true, an invalid subscription makes the join fail; otherwise a system message reports it after the join.
    wait: bool = False


class JoinConfig(BaseModel, frozen=True):
    broadcast: BroadcastConfig = BroadcastConfig()
    presence: PresenceConfig = PresenceConfig()
    # The number is limited, because every entry is compared with every table, and its filter is checked by PostgreSQL.
    postgres_changes: tuple[Binding, ...] = Field(default=(), max_length=100)
    postgres_changes_options: ChangesOptions = ChangesOptions()
    private: bool = False


def parse_join_config(payload: Any) -> JoinConfig:
    config = payload.get("config") or {}
    try:
        bindings = [{**_without_nulls(entry), "original": entry} for entry in config.get("postgres_changes") or ()]
        return JoinConfig.model_validate({**_without_nulls(config), "postgres_changes": bindings})
    except ValidationError as error:
        wrong = first_wrong_field(error)
        raise InvalidJoin(reason=f"{wrong.name()}: {wrong.reason}") from error
    except (AttributeError, TypeError) as error:
        raise InvalidJoin(reason="config is an object, postgres_changes a list of objects") from error


def _without_nulls(values: dict[str, Any]) -> dict[str, Any]:
    """Removes null values, which clients send for fields that are not set."""
    return {key: value for key, value in values.items() if value is not None}
