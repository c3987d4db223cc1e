"""The pictures that are drawn as HTML: the previews of shared links, and the home screen icon."""

import re
from html import escape
from pathlib import Path

from playwright.async_api import FloatRect, ViewportSize

_LOGO = Path(__file__).parent.parent / "web" / "app" / "ui" / "logo.tsx"
_PATH = re.search(r'STONES =\s*"([^"]+)"', _LOGO.read_text("utf-8"))
assert _PATH is not None, "logo.tsx no longer contains STONES"
_MARK = f'<svg viewBox="0 0 24 24" fill="currentColor" style="width:{{size}}px"><path d="{_PATH[1]}"/></svg>'
_DEEP, _PALE = "oklch(0.27 0.055 158)", "oklch(0.96 0.02 150)"

_SHARE = f"""
<div style="position:fixed;inset:0;z-index:99;background:{_DEEP};color:{_PALE};padding:72px 80px;overflow:hidden;
            display:flex;flex-direction:column;justify-content:space-between">
  <div style="position:absolute;inset:0;opacity:.25;background:currentColor;
              mask:url(/art/first-light.svg) center/cover,linear-gradient(to left,#000,transparent 85%);
              mask-composite:intersect"></div>
  <div style="display:flex;gap:20px;align-items:center;font:700 44px 'Bricolage Grotesque Variable'">
    {_MARK.format(size=64)} Cairn</div>
  <div style="position:relative">
    <div style="font:700 84px/1.04 'Bricolage Grotesque Variable';letter-spacing:-.02em;max-width:900px">
      Put your waiver management on autopilot</div>
    <div style="font:400 32px/1.4 'Inter Variable';margin-top:28px;opacity:.85">
      Digital waivers for tours and outdoor activities</div>
  </div>
</div>"""

_ARTICLE = f"""
<div style="position:fixed;inset:0;z-index:99;background:{_DEEP} url({{picture}}) center/cover;color:{_PALE}">
  <div style="position:absolute;inset:0;background:linear-gradient(75deg,{_DEEP} 30%,transparent 80%)"></div>
  <div style="position:absolute;inset:72px 80px;display:flex;flex-direction:column;justify-content:space-between">
    <div style="display:flex;gap:20px;align-items:center;font:700 44px 'Bricolage Grotesque Variable'">
      {_MARK.format(size=64)} Cairn</div>
    <div style="font:700 76px/1.06 'Bricolage Grotesque Variable';letter-spacing:-.02em;max-width:860px;
                text-wrap:balance">{{title}}</div>
  </div>
</div>"""

_ICON = f"""
<div style="position:fixed;inset:0;z-index:99;background:{_DEEP};color:{_PALE};display:grid;place-items:center">
  {_MARK.format(size=120)}</div>"""

SHARED = ViewportSize(width=1200, height=630)
CARDS: list[tuple[str, ViewportSize, str]] = [
    ("share.png", SHARED, _SHARE),
    ("touch-icon.png", {"width": 180, "height": 180}, _ICON),
]


def article(title: str, picture: str) -> str:
    """The preview of a shared link to an article: its title on its picture."""
    return _ARTICLE.format(title=escape(title), picture=picture)


# A signature as a finger draws it; the unit is the width and height of the signature pad.
STROKE = [
    (0.12, 0.72), (0.16, 0.3), (0.19, 0.22), (0.2, 0.7), (0.24, 0.34), (0.28, 0.26), (0.29, 0.68), (0.33, 0.52),
    (0.36, 0.5), (0.37, 0.64), (0.34, 0.66), (0.34, 0.54), (0.4, 0.5), (0.43, 0.66), (0.41, 0.68), (0.42, 0.52),
    (0.47, 0.52), (0.49, 0.66), (0.54, 0.48), (0.56, 0.64), (0.6, 0.52), (0.62, 0.66), (0.72, 0.5), (0.84, 0.58),
]  # fmt: skip


def point_in(box: FloatRect, point: tuple[float, float]) -> tuple[float, float]:
    return box["x"] + point[0] * box["width"], box["y"] + point[1] * box["height"]
