"""Settings of the data service."""

from collections.abc import Mapping

from pydantic import BaseModel

MAX_CACHED_LENGTH = 2000
"""Longer query strings and headers are parsed each time, so that a client cannot fill the caches with them."""


class RestSettings(BaseModel, frozen=True):
    schemas: tuple[str, ...] = ("public",)
    """Exposed under `/rest/v1`; the first is the default for requests without a profile header."""

    extra_search_path: tuple[str, ...] = ("public", "extensions")
    max_rows: int | None = 1000
    """The most rows in one response; `Preference-Applied: max-rows` reports that a result was truncated."""

    max_body_bytes: int = 32 * 1024 * 1024
    aggregates: bool = True
    allow_rollback: bool = False
    """Whether `Prefer: tx=rollback` is honoured: useful for experiments, never needed by an app."""

    plans: bool = False
    """Whether callers may request the query plan of PostgreSQL; plans reveal something about the data."""

    openapi: bool = True
    """Whether `/rest/v1/` returns the OpenAPI description."""

    statement_timeout_ms: Mapping[str, int] = {"anon": 5_000, "authenticated": 15_000, "service_role": 60_000}
    """By database role; a role that is not listed has no timeout."""

    catalog_reload_seconds: float = 1.0
    """The shortest time between two reads of the catalog after ten in a row, and between two checks for changes."""
