"""What an operator may decide about the data service."""

from pydantic import BaseModel


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

    statement_timeout_ms: int = 15_000
    catalog_reload_seconds: float = 1.0
    """The least time between two readings of the catalog, however many names are not found meanwhile."""
