"""Reads fields of untrusted JSON."""

from typing import Any

from cairn.kit import clean_text

_MAX_LENGTH = 500


def text_field(fields: dict[str, Any], name: str) -> str:
    """Returns the cleaned text of a field, or an empty text if the field is missing or is not a text.

    The text is cleaned, because PostgreSQL stores no NUL characters.
    """
    value = fields.get(name)
    return clean_text(value)[:_MAX_LENGTH] if isinstance(value, str) else ""
