"""Cuts the fonts of the public pages down to the letters and weights they use: `python -m tools.fonts`.

The app has the whole fonts too, because people's names have all kinds of letters; our own words are written in these
(web/app/fonts.css says for which letters a browser takes them).
"""

from pathlib import Path
from typing import Any

from fontTools.subset import Options, Subsetter, load_font, save_font
from fontTools.varLib.instancer import instantiateVariableFont

WEB = Path(__file__).parent.parent / "web"
LETTERS = [*range(0x20, 0x7F), *map(ord, "\u00a0©·áäçéíñóöúüł×–—‘’“”•…→✓−")]  # noqa: RUF001 - the signs themselves

# Which file, what of its weights, and under which name.
CUTS: list[tuple[str, Any, str]] = [
    ("inter/files/inter-latin-wght-normal.woff2", (400, 700), "inter-public.woff2"),
    ("bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2", 700, "bricolage-public.woff2"),
]


def cut(source: Path, weights: Any, target: Path) -> None:
    options = Options(flavor="woff2", layout_features=["kern", "liga", "calt", "tnum", "ccmp", "cv11", "ss03"])
    font = load_font(source, options, lazy=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=LETTERS)
    subsetter.subset(font)
    instantiateVariableFont(font, {"wght": weights}, inplace=True)
    save_font(font, target, options)


def main() -> None:
    for source, weights, name in CUTS:
        target = WEB / "app" / "fonts" / name
        cut(WEB / "node_modules" / "@fontsource-variable" / source, weights, target)
        print(f"{target.stat().st_size:>7,} bytes  {name}")


if __name__ == "__main__":
    main()
