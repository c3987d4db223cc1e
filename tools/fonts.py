"""Reduces the fonts of the public pages to the characters and weights they use. Run it with `python -m tools.fonts`.

The app also has the complete fonts, because names of people can have any character. web/app/fonts.css lists the
characters for which a browser uses the reduced fonts.
"""

from pathlib import Path
from typing import Any

from fontTools.subset import Options, Subsetter, load_font, save_font
from fontTools.varLib.instancer import instantiateVariableFont

WEB = Path(__file__).parent.parent / "web"
CHARACTERS = [*range(0x20, 0x7F), *map(ord, "\u00a0©·áäçéíñóöúüł×–—‘’“”•…→✓−")]  # noqa: RUF001 - these characters are intended

# Each tuple has the source file, the weights and the target file.
SUBSETS: list[tuple[str, Any, str]] = [
    ("inter/files/inter-latin-wght-normal.woff2", (400, 700), "inter-public.woff2"),
    ("bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2", 700, "bricolage-public.woff2"),
]


def write_subset(source: Path, weights: Any, target: Path) -> None:
    options = Options(flavor="woff2", layout_features=["kern", "liga", "calt", "tnum", "ccmp", "cv11", "ss03"])
    font = load_font(source, options, lazy=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    instantiateVariableFont(font, {"wght": weights}, inplace=True)
    save_font(font, target, options)


def main() -> None:
    for source, weights, name in SUBSETS:
        target = WEB / "app" / "fonts" / name
        write_subset(WEB / "node_modules" / "@fontsource-variable" / source, weights, target)
        print(f"{target.stat().st_size:>7,} bytes  {name}")


if __name__ == "__main__":
    main()
