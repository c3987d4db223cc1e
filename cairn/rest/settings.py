"""What an operator may decide about the data service."""

from collections.abc import Mapping

from pydantic import BaseModel

MAX_CACHED_LENGTH = 2000
"""Characters of what a request says. Anybody may send more, and none of it is worth keeping."""


class RestSettings(BaseModel, frozen=True):
    schemas: tuple[str, ...] = ("public",)
    """Exposed under `/rest/v1`; the first is the one meant when a request names none."""

    extra_search_path: tuple[str, ...] = ("public", "extensions")
    max_rows: int | None = 1000
    """More are not sent in one answer; `Preference-Applied: max-rows` says so when it cuts."""

    max_body_bytes: int = 32 * 1024 * 1024
    aggregates: bool = True
    allow_rollback: bool = False
    """Whether `Prefer: tx=rollback` is honoured: useful for trying out, never needed by an app."""

    plans: bool = False
    """Whether callers may ask how Postgres would answer instead of for the answer; it tells about the data."""

    openapi: bool = True
    """Whether the root describes what is there."""

    statement_timeout_ms: Mapping[str, int] = {"anon": 5_000, "authenticated": 15_000, "service_role": 60_000}
    """By database role; a role not named here has none."""

    catalog_reload_seconds: float = 1.0
    """How often the database may be read anew after ten changes in a row, and compared while requests come in."""
