"""Renders a typst template to PDF. The compiler and its fonts are kept for the lifetime of the process."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import noto_cjk_sans_otc
import typst

from cairn.kit import clean_text

_TEMPLATES = Path(__file__).parent
_FONTS = [_TEMPLATES / "fonts", Path(str(noto_cjk_sans_otc.FONT_PATH)).parent]


class Renderer:
    """The compiler stores the inputs of a call on itself, so calls must not overlap."""

    def __init__(self) -> None:
        fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=_FONTS)
        self._compiler = typst.Compiler(root=_TEMPLATES, font_paths=fonts, ignore_system_fonts=True)

    def render(self, template: str, data: Mapping[str, Any]) -> bytes:
        """User text is passed as JSON and only ever printed; typst evaluates nothing but the template."""
        pdf = self._compiler.compile(
            input=_TEMPLATES / template, format="pdf", sys_inputs={"data": json.dumps(_clean(data))}
        )
        assert isinstance(pdf, bytes), "without an output path the PDF is returned"
        return pdf


def _clean(value: Any) -> Any:
    """Removes characters that PDF metadata cannot contain. SQL removes them too, but not from older records."""
    match value:
        case str():
            return clean_text(value)
        case dict():
            return {key: _clean(item) for key, item in value.items()}
        # The bytes of an image.
        case [int(), *_]:
            return value
        case list() | tuple():
            return [_clean(item) for item in value]
    return value
