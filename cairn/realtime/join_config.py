"""What a join asks for, as it comes in."""

import json
from hashlib import sha256
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from cairn.realtime.errors import InvalidJoin


class ReplayConfig(BaseModel, frozen=True):
    """From when on, in milliseconds since 1970, and how many at most."""

    since: int = Field(ge=0, le=8_640_000_000_000)
    limit: int = Field(default=25, ge=1, le=25)


class BroadcastConfig(BaseModel, frozen=True):
    to_self: bool = Field(default=False, alias="self")
    ack: bool = False
    replay: ReplayConfig | None = None


class PresenceConfig(BaseModel, frozen=True):
    key: str = ""
    # Clients that do not say so expect presence all the same.
    enabled: bool = True


class Binding(BaseModel, frozen=True):
    """One entry of `postgres_changes`. `asked` is the entry as it came, for it must be echoed unchanged."""

    event: Literal["*", "INSERT", "UPDATE", "DELETE"] = "*"
    schema_name: str = Field(default="*", alias="schema")
    table: str = "*"
    filter: str | None = None
    select: tuple[str, ...] | None = None
    asked: dict[str, Any]

    @property
    def id(self) -> int:
        """The same for the same parameters, within what JavaScript counts exactly, and never 0."""
        parameters = json.dumps(self.asked, sort_keys=True).encode()
        return int.from_bytes(sha256(parameters).digest()[:6]) + 1

    def __str__(self) -> str:
        return f"event: {self.event}, schema: {self.schema_name}, table: {self.table}, filter: {self.filter or ''}"


class ChangesOptions(BaseModel, frozen=True):
    # A join that cannot bring its changes is then refused, instead of told so afterwards.
    wait: bool = False


class JoinConfig(BaseModel, frozen=True):
    broadcast: BroadcastConfig = BroadcastConfig()
    presence: PresenceConfig = PresenceConfig()
    postgres_changes: tuple[Binding, ...] = ()
    postgres_changes_options: ChangesOptions = ChangesOptions()
    private: bool = False


def parse_join_config(payload: Any) -> JoinConfig:
    config = payload.get("config") or {}
    try:
        bindings = [{**_without_nulls(asked), "asked": asked} for asked in config.get("postgres_changes") or ()]
        return JoinConfig.model_validate({**_without_nulls(config), "postgres_changes": bindings})
    except ValidationError as unreadable:
        first = unreadable.errors()[0]
        raise InvalidJoin(why=f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from unreadable
    except (AttributeError, TypeError) as unreadable:
        raise InvalidJoin(why="config is an object, postgres_changes a list of objects") from unreadable


def _without_nulls(asked: dict[str, Any]) -> dict[str, Any]:
    """A client's null means that it did not say."""
    return {key: value for key, value in asked.items() if value is not None}
