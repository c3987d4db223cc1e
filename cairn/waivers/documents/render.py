"""Data onto paper: one typst compiler with its fonts, kept for the life of the process."""

import json
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

import noto_cjk_sans_otc
import typst

_HERE = Path(__file__).parent
_FONTS = [_HERE / "fonts", Path(str(noto_cjk_sans_otc.FONT_PATH)).parent]


class Renderer:
    """Opened on first use, because a process that never prints need not hold the fonts."""

    def __init__(self) -> None:
        self._compiler: typst.Compiler | None = None
        # The compiler keeps the inputs of a call on itself.
        self._lock = Lock()

    def render(self, template: str, contents: Mapping[str, Any]) -> bytes:
        """What people wrote travels as JSON and is only ever printed; the template is all that is evaluated."""
        with self._lock:
            if self._compiler is None:
                fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=_FONTS)
                self._compiler = typst.Compiler(root=_HERE, font_paths=fonts, ignore_system_fonts=True)
            pdf = self._compiler.compile(
                input=_HERE / template, format="pdf", sys_inputs={"data": json.dumps(contents)}
            )
        assert isinstance(pdf, bytes), "without an output path the document is returned"
        return pdf
