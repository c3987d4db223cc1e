"""Decodes the CBOR messages of passkeys, and refuses tags in them.

The WebAuthn library decodes all tags, among them regular expressions, which it compiles. A short message with a few
thousand of them would stop the server for minutes. WebAuthn needs no tags, and its standard forbids them.
"""

import sys
from collections.abc import Mapping
from typing import Any, NoReturn

import cbor2
import webauthn.helpers  # noqa: F401 - loads the module that is changed below

_PARSER_MODULE = "webauthn.helpers.parse_cbor"


class TagNotAllowed(ValueError):
    """The message contains a tag."""


def _refuse(*_: object) -> NoReturn:
    raise TagNotAllowed


# This list contains every tag for which cbor2 has a decoder, and many more. Other tags are passed to the `tag_hook`.
_DECODERS: Mapping[int, Any] = dict.fromkeys((*range(512), 1004, 43_000, 55_799), _refuse)


class _CborWithoutTags:
    @staticmethod
    def loads(data: bytes, *, allow_duplicate_keys: bool) -> Any:
        return cbor2.loads(
            data, allow_duplicate_keys=allow_duplicate_keys, tag_hook=_refuse, semantic_decoders=_DECODERS
        )


def refuse_tags() -> None:
    """Makes the WebAuthn library refuse all tags. It has no setting for this."""
    vars(sys.modules[_PARSER_MODULE])["cbor2"] = _CborWithoutTags
