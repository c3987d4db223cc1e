"""Parses the `Accept` header, which determines the format of the response."""

from functools import lru_cache
from typing import Literal

from cairn.kit import frozen_dataclass
from cairn.rest.errors import MediaTypeNotAvailable
from cairn.rest.settings import MAX_CACHED_LENGTH

BodyFormat = Literal["array", "object", "csv", "geojson"]
_FORMATS: dict[str, tuple[BodyFormat, str]] = {
    "*/*": ("array", "application/json"),
    "application/*": ("array", "application/json"),
    "application/json": ("array", "application/json"),
    "application/vnd.pgrst.array": ("array", "application/vnd.pgrst.array+json"),
    "application/vnd.pgrst.array+json": ("array", "application/vnd.pgrst.array+json"),
    "application/vnd.pgrst.object": ("object", "application/vnd.pgrst.object+json"),
    "application/vnd.pgrst.object+json": ("object", "application/vnd.pgrst.object+json"),
    "application/geo+json": ("geojson", "application/geo+json"),
    "text/csv": ("csv", "text/csv"),
    "text/*": ("csv", "text/csv"),
}
_PLAN_FORMATS: dict[str, Literal["json", "text"]] = {
    "application/vnd.pgrst.plan": "text",
    "application/vnd.pgrst.plan+text": "text",
    "application/vnd.pgrst.plan+json": "json",
}
_MAX_MEDIA_RANGES = 100
_PLAN_OPTIONS = ("analyze", "verbose", "settings", "buffers", "wal")


@frozen_dataclass
class ExplainOptions:
    """The caller wants the query plan of PostgreSQL instead of the rows."""

    format: Literal["json", "text"]
    options: tuple[str, ...]


@frozen_dataclass
class Media:
    body_format: BodyFormat
    name: str
    strip_nulls: bool = False
    explain: ExplainOptions | None = None

    @property
    def content_type(self) -> str:
        stripped = ";nulls=stripped" if self.strip_nulls else ""
        if self.explain is None:
            return f"{self.name}{stripped}; charset=utf-8"
        options = f"; options={'|'.join(self.explain.options)}" if self.explain.options else ""
        plan_type = f"application/vnd.pgrst.plan+{self.explain.format}"
        return f'{plan_type}; for="{self.name}{stripped}"{options}; charset=utf-8'


JSON = Media("array", "application/json")


def choose_media(accept: str, *, plans: bool = False) -> Media:
    """Returns the most preferred type that is supported. `plans` is true if the operator allows query plans."""
    return _parse_cached(accept, plans) if len(accept) <= MAX_CACHED_LENGTH else _choose_media(accept, plans)


def _choose_media(accept: str, plans: bool) -> Media:
    ranges = [_MediaRange(text) for text in accept.split(",", _MAX_MEDIA_RANGES)[:_MAX_MEDIA_RANGES] if text.strip()]
    if not ranges:
        return JSON
    for media_range in sorted(ranges, key=lambda media_range: -media_range.quality):
        media = media_range.media(plans=plans) if media_range.quality > 0 else None
        if media is not None:
            return media
    raise MediaTypeNotAvailable(types=", ".join(media_range.text for media_range in ranges))


_parse_cached = lru_cache(maxsize=256)(_choose_media)


class _MediaRange:
    def __init__(self, text: str) -> None:
        self.text = text.strip()
        name, *parameters = (part.strip() for part in self.text.split(";"))
        self.name = name.lower()
        self.parameters = {key.strip(): value.strip() for key, _, value in (p.partition("=") for p in parameters)}

    @property
    def quality(self) -> float:
        try:
            return float(self.parameters.get("q", "1"))
        except ValueError:
            return 0.0

    def media(self, *, plans: bool) -> Media | None:
        if self.name in _FORMATS:
            body_format, name = _FORMATS[self.name]
            is_vendor_type = name.startswith("application/vnd.pgrst")
            return Media(body_format, name, is_vendor_type and self.parameters.get("nulls") == "stripped")
        return self._plan() if plans and self.name in _PLAN_FORMATS else None

    def _plan(self) -> Media | None:
        body_format, name = _FORMATS.get(
            self.parameters.get("for", "").strip('"').lower(), (JSON.body_format, JSON.name)
        )
        requested_options = self.parameters.get("options", "").split("|")
        if any(option and option not in _PLAN_OPTIONS for option in requested_options):
            return None
        options = tuple(option for option in _PLAN_OPTIONS if option in requested_options)
        return Media(body_format, name, explain=ExplainOptions(_PLAN_FORMATS[self.name], options))
