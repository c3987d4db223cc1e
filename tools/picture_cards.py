"""Contains the HTML of the pictures that are not screenshots: the previews of shared links and the home screen icon.

For the screenshots and the tutorial videos, it contains the points of a drawn signature.
"""

import re
from html import escape
from pathlib import Path

from playwright.async_api import FloatRect, ViewportSize

_LOGO = Path(__file__).parent.parent / "web" / "app" / "ui" / "logo.tsx"
_LOGO_PATH = re.search(r'CAIRN_PATH =\s*"([^"]+)"', _LOGO.read_text("utf-8"))
assert _LOGO_PATH is not None, "logo.tsx no longer contains CAIRN_PATH"
_LOGO_SVG = f'<svg viewBox="0 0 24 24" fill="currentColor" style="width:{{size}}px"><path d="{_LOGO_PATH[1]}"/></svg>'
_GREEN, _PALE = "oklch(0.27 0.055 158)", "oklch(0.96 0.02 150)"

_SHARE_CARD = f"""
<div style="position:fixed;inset:0;z-index:99;background:{_GREEN};color:{_PALE};padding:72px 80px;overflow:hidden;
            display:flex;flex-direction:column;justify-content:space-between">
  <div style="position:absolute;inset:0;opacity:.25;background:currentColor;
              mask:url(/art/first-light.svg) center/cover,linear-gradient(to left,#000,transparent 85%);
              mask-composite:intersect"></div>
  <div style="display:flex;gap:20px;align-items:center;font:700 44px 'Bricolage Grotesque Variable'">
    {_LOGO_SVG.format(size=64)} Cairn</div>
  <div style="position:relative">
    <div style="font:700 84px/1.04 'Bricolage Grotesque Variable';letter-spacing:-.02em;max-width:900px">
      Put your waiver management on autopilot</div>
    <div style="font:400 32px/1.4 'Inter Variable';margin-top:28px;opacity:.85">
      Digital waivers for tours and outdoor activities</div>
  </div>
</div>"""

_ARTICLE_CARD = f"""
<div style="position:fixed;inset:0;z-index:99;background:{_GREEN} url({{picture}}) center/cover;color:{_PALE}">
  <div style="position:absolute;inset:0;background:linear-gradient(75deg,{_GREEN} 30%,transparent 80%)"></div>
  <div style="position:absolute;inset:72px 80px;display:flex;flex-direction:column;justify-content:space-between">
    <div style="display:flex;gap:20px;align-items:center;font:700 44px 'Bricolage Grotesque Variable'">
      {_LOGO_SVG.format(size=64)} Cairn</div>
    <div style="font:700 76px/1.06 'Bricolage Grotesque Variable';letter-spacing:-.02em;max-width:860px;
                text-wrap:balance">{{title}}</div>
  </div>
</div>"""

_ICON_CARD = f"""
<div style="position:fixed;inset:0;z-index:99;background:{_GREEN};color:{_PALE};display:grid;place-items:center">
  {_LOGO_SVG.format(size=120)}</div>"""

SHARED_LINK_SIZE = ViewportSize(width=1200, height=630)
# Each tuple has the file name, the size and the HTML.
CARDS: list[tuple[str, ViewportSize, str]] = [
    ("share.png", SHARED_LINK_SIZE, _SHARE_CARD),
    ("touch-icon.png", {"width": 180, "height": 180}, _ICON_CARD),
]


def article_card(title: str, picture: str) -> str:
    """Returns the preview of a shared link to an article, with its title on its picture."""
    return _ARTICLE_CARD.format(title=escape(title), picture=picture)


# These points form a signature as a finger draws it, as fractions of the width and height of the signature pad.
SIGNATURE_POINTS = [
    (0.12, 0.72), (0.16, 0.3), (0.19, 0.22), (0.2, 0.7), (0.24, 0.34), (0.28, 0.26), (0.29, 0.68), (0.33, 0.52),
    (0.36, 0.5), (0.37, 0.64), (0.34, 0.66), (0.34, 0.54), (0.4, 0.5), (0.43, 0.66), (0.41, 0.68), (0.42, 0.52),
    (0.47, 0.52), (0.49, 0.66), (0.54, 0.48), (0.56, 0.64), (0.6, 0.52), (0.62, 0.66), (0.72, 0.5), (0.84, 0.58),
]  # fmt: skip


def point_in(box: FloatRect, point: tuple[float, float]) -> tuple[float, float]:
    """Converts fractions of the width and height of `box` into a position on the page."""
    return box["x"] + point[0] * box["width"], box["y"] + point[1] * box["height"]
