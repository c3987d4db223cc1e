"""The `Accept` header: in which of our forms the answer goes out."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from cairn.rest.errors import NoSuchMediaType

Form = Literal["array", "object", "csv"]
_FORMS: dict[str, tuple[Form, str]] = {
    "*/*": ("array", "application/json"),
    "application/*": ("array", "application/json"),
    "application/json": ("array", "application/json"),
    "application/vnd.pgrst.array": ("array", "application/vnd.pgrst.array+json"),
    "application/vnd.pgrst.array+json": ("array", "application/vnd.pgrst.array+json"),
    "application/vnd.pgrst.object": ("object", "application/vnd.pgrst.object+json"),
    "application/vnd.pgrst.object+json": ("object", "application/vnd.pgrst.object+json"),
    "text/csv": ("csv", "text/csv"),
    "text/*": ("csv", "text/csv"),
}


@dataclass(frozen=True, slots=True)
class Media:
    form: Form
    name: str
    strip_nulls: bool = False

    @property
    def content_type(self) -> str:
        stripped = ";nulls=stripped" if self.strip_nulls else ""
        return f"{self.name}{stripped}; charset=utf-8"


JSON = Media("array", "application/json")


@lru_cache(maxsize=256)
def choose_media(accept: str) -> Media:
    """The caller's favourite among what we have."""
    ranges = [_Range(text) for text in accept.split(",") if text.strip()]
    if not ranges:
        return JSON
    for wanted in sorted(ranges, key=lambda one: -one.quality):
        if wanted.name in _FORMS and wanted.quality > 0:
            form, name = _FORMS[wanted.name]
            vendor = name.startswith("application/vnd.pgrst")
            return Media(form, name, vendor and wanted.parameters.get("nulls") == "stripped")
    raise NoSuchMediaType(types=", ".join(wanted.text for wanted in ranges))


class _Range:
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
