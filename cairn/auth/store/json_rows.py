from dataclasses import fields
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from cairn.auth.model import Factor, Identity, Session, User

Row = TypeVar("Row", User, Identity, Factor, Session)


def read_json_row(row_type: type[Row], document: dict[str, Any], prefix: str = "") -> Row:
    """Builds an object from a row that Postgres has converted to JSON, where ids and times are strings."""
    values = {field.name: _parse(field.name, document[prefix + field.name]) for field in fields(row_type)}
    return row_type(**values)


def _parse(column: str, value: Any) -> Any:
    if value is None:
        return None
    if column in ("id", "user_id"):
        return UUID(value)
    if column.endswith("_at") or column == "banned_until":
        return datetime.fromisoformat(value)
    return value
