"""Reads the fields of a submitted HTML form."""

from urllib.parse import unquote_to_bytes

from starlette.types import Receive

from cairn.kit.body import BodyTooLarge, read_body

_MAX_FIELDS = 20
MAX_ESCAPES = 80_000
"""How many percent signs a form may contain. Decoding this many takes at most 0.05 seconds."""


async def read_form(receive: Receive, *, max_bytes: int, sender: str | None = None) -> dict[str, str]:
    """Parses a URL-encoded form. Raises BodyTooLarge if it has too many bytes, fields or escaped characters."""
    body = await read_body(receive, max_bytes=max_bytes, sender=sender)
    try:
        return parse_form(body, max_fields=_MAX_FIELDS)
    except ValueError as error:
        raise BodyTooLarge(limit=max_bytes) from error


def parse_form(body: bytes | bytearray, *, max_fields: int) -> dict[str, str]:
    """Parses a URL-encoded form. Raises ValueError if it has too many fields or escaped characters.

    `urllib.parse.parse_qsl` takes half a second for a megabyte of percent signs, and as long if the characters are
    alternately ASCII and not, because it decodes each part of the text separately.
    """
    if body.count(b"&") >= max_fields or body.count(b"%") > MAX_ESCAPES:
        raise ValueError("the form has too many fields or escaped characters")
    pairs = (field.partition(b"=") for field in bytes(body).split(b"&") if field)
    return {_decode(name): _decode(value) for name, _, value in pairs}


def _decode(text: bytes) -> str:
    return unquote_to_bytes(text.replace(b"+", b" ")).decode("utf-8", "replace")
