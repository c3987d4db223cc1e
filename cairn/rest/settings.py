"""The settings of the REST service."""

from collections.abc import Mapping

from pydantic import BaseModel, Field

MAX_CACHED_LENGTH = 2000
"""Longer query strings and headers are parsed each time, so that a client cannot fill the caches with them."""


class RestSettings(BaseModel, frozen=True):
    schemas: tuple[str, ...] = ("public",)
    """The schemas under `/rest/v1`. The first is the default for requests without a profile header."""

    extra_search_path: tuple[str, ...] = ("public", "extensions")
    max_rows: int | None = 1000
    """The maximum number of rows in a response. `Preference-Applied: max-rows` reports that a result was truncated."""

    max_response_bytes: int = Field(default=64_000_000, ge=1)
    """The maximum size of the rows in a response. CSV of 10,000 rows or more is sent in parts and has no limit."""

    max_query_bytes: int = Field(default=16_000, ge=1)
    """The limit for the query string, which is parsed before anything else. The service key has no limit."""

    max_body_bytes: int = 32 * 1024 * 1024
    """The limit for every request. Only the service key may send this much."""

    max_account_body_bytes: int = 4 * 1024 * 1024
    """The limit for callers with an account."""

    max_anonymous_body_bytes: int = 2 * 1024 * 1024
    """The limit for callers without an account. A signature needs less."""

    max_anonymous_csv_bytes: int = 256 * 1024
    """The limit for CSV and forms from these callers. Converting them to JSON takes longer than parsing JSON."""

    anonymous_writes: int = Field(default=1500, ge=1)
    """How many writes one IP network may send without an account in ten minutes. A guest needs about four.

    The lists that they send may also contain this many rows in total.
    """

    anonymous_write_bytes: int = Field(default=100_000_000, ge=1)
    """How many bytes these writes may contain together."""

    account_writes: int = Field(default=3000, ge=1)
    """How many writes one account may send in ten minutes. A sent waiver needs about three."""

    account_write_bytes: int = Field(default=200_000_000, ge=1)
    """How many bytes the writes of one account may contain together in ten minutes."""

    account_rows: int = Field(default=10_000, ge=1)
    """How many rows one account may send in lists, or change with requests for several rows, in ten minutes."""

    aggregates: bool = True
    allow_rollback: bool = False
    """Enables `Prefer: tx=rollback`, which is useful for experiments and never needed by an app."""

    plans: bool = False
    """Lets callers request the query plan of PostgreSQL. A plan reveals something about the data."""

    openapi: bool = True
    """Serves the OpenAPI description at `/rest/v1/`."""

    statement_timeout_ms: Mapping[str, int] = {"anon": 5_000, "authenticated": 5_000, "service_role": 60_000}
    """The timeout of each database role. A role that is not listed has no timeout."""

    read_timeout_ms: Mapping[str, int] = {"anon": 2_000, "authenticated": 5_000}
    """A shorter timeout for requests that only read, by database role."""

    pattern_timeout_ms: int = Field(default=3_000, ge=1)
    """A shorter timeout for requests with regular expressions or many searches, except those of the service role."""

    anonymous_patterns: bool = False
    """Lets callers without an account filter by regular expressions (match, imatch), which can be slow."""

    catalog_reload_seconds: float = 1.0
    """The minimum time between two checks for schema changes.

    After ten reads of the catalog in a row, it is also the minimum time between two reads.
    """
