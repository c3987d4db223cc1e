"""Renders the pages that work without JavaScript: those behind mailed links, and the payment sandbox."""

from functools import cache
from html import escape
from pathlib import Path

from starlette.responses import HTMLResponse

PRIVATE_PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}
"""With these headers a page is not cached, not indexed and not framed, and it cannot run scripts."""

# The same mark as in web/app/ui/logo.tsx.
LOGO = """\
<div class="logo"><svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="\
M2.6 19.4c.1-2 3.7-3 9-3s9.5.8 9.8 2.8c.2 2-3.5 2.9-9.3 2.9-5.9 0-9.6-.8-9.5-2.7Zm3.3-5.6c.2-1.7 2.9\
-2.7 6.8-2.7 4 0 6.9.8 7 2.4.1 1.7-2.6 2.4-6.9 2.4-4.4 0-7.1-.5-6.9-2.1Zm.9-4.7c0-1.5 2-2.5 4.9-2.5 \
2.8 0 4.8.8 4.8 2.2 0 1.5-1.9 2-4.7 2-3 0-5-.3-5-1.7Zm2.7-4.6c.1-1.4 1.4-2.5 3.3-2.5 1.8 0 3 .9 3 2.\
2 0 1.4-1.3 2-3.2 2-2 0-3.2-.4-3.1-1.7Z"/></svg>Cairn</div>"""

HTML_START = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
"""
"""The first lines of every page and email. The rest of the head follows."""

_PAGE_TEMPLATE = (
    HTML_START
    + """\
<meta name="robots" content="noindex">
<title>{title} · {product}</title>
<style>{style}</style>
</head>
<body>
<main>
{main}
</main>
</body>
</html>
"""
)

# The colours are those of web/app/tokens.css.
_STYLE = """
  :root { color-scheme: light dark;
          --ground: light-dark(oklch(0.983 0.005 85), oklch(0.188 0.009 70));
          --surface: light-dark(oklch(0.998 0.002 85), oklch(0.227 0.01 70));
          --line: light-dark(oklch(0.902 0.009 80), oklch(0.32 0.012 72));
          --edge: light-dark(oklch(0.63 0.018 78), oklch(0.56 0.018 78));
          --text: light-dark(oklch(0.235 0.016 70), oklch(0.948 0.007 85));
          --soft: light-dark(oklch(0.435 0.016 72), oklch(0.765 0.012 80));
          --forest: light-dark(oklch(0.405 0.083 157), oklch(0.77 0.112 154));
          --forest-deep: light-dark(oklch(0.335 0.072 158), oklch(0.84 0.1 154));
          --on-forest: light-dark(oklch(0.985 0.012 140), oklch(0.21 0.035 158));
          --amber-soft: light-dark(oklch(0.958 0.047 88), oklch(0.3 0.045 78));
          --amber-text: light-dark(oklch(0.42 0.088 66), oklch(0.86 0.1 84));
          --red: light-dark(oklch(0.51 0.185 27), oklch(0.7 0.16 25)) }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem;
         font: 16px/1.6 "Inter Variable", system-ui, sans-serif; background: var(--ground); color: var(--text) }
  main { width: min(28rem, 100%); padding: clamp(1.25rem, 6vw, 2rem); border: 1px solid var(--line);
         border-radius: 12px; overflow: hidden; background: var(--surface) }
  .logo { display: flex; align-items: center; gap: .5rem; font: 600 1.25rem/1.4 var(--display);
          letter-spacing: -.025em }
  .logo svg { width: 1.75rem; height: 1.75rem; color: var(--forest) }
  h1 { margin: 1.25rem 0 .5rem; font: 600 1.5rem/1.25 var(--display); letter-spacing: -.02em; overflow-wrap: anywhere }
  p { margin: 0; overflow-wrap: anywhere }
  button, .button { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 2.75rem;
           margin-top: 1.5rem; padding: .5rem 1rem; border: 0; border-radius: 10px; cursor: pointer;
           background: var(--forest); color: var(--on-forest); font: inherit; font-weight: 600;
           text-align: center; text-decoration: none }
  :is(button, .button):hover { background: var(--forest-deep) }
  .quiet, .quiet:hover { background: none; border: 1px solid var(--edge); color: inherit }
  :is(button, .button, input):focus-visible { outline: 2px solid var(--forest); outline-offset: 2px }
"""
_FACE_STYLE = """
  @font-face {{ font-family: "{family}"; src: url("/assets/{file}") format("woff2"); font-weight: 200 800;
                font-display: swap }}"""
_FONTS = {"Inter Variable": "inter-public-*.woff2", "Bricolage Grotesque Variable": "bricolage-public-*.woff2"}
_ASSETS = Path(__file__).parent.parent / "web_build" / "app" / "assets"


@cache
def _font_style() -> str:
    """Returns the CSS of the fonts. Their file names contain a hash. Without the files, the system font is used."""
    faces = [
        _FACE_STYLE.format(family=family, file=file.name)
        for family, pattern in _FONTS.items()
        for file in _ASSETS.glob(pattern)
    ]
    display = ':root { --display: "Bricolage Grotesque Variable", "Inter Variable", system-ui, sans-serif }'
    return "\n".join([*faces, display])


def html_page(title: str, main: str, *, product: str = "Cairn", style: str = "") -> str:
    """Returns a complete HTML document. `title` is escaped here; `main` is HTML that the caller has escaped."""
    return _PAGE_TEMPLATE.format(title=escape(title), product=product, style=_font_style() + _STYLE + style, main=main)


def page_response(title: str, main: str, status: int = 200, *, product: str = "Cairn", style: str = "") -> HTMLResponse:
    return HTMLResponse(html_page(title, main, product=product, style=style), status, PRIVATE_PAGE_HEADERS)


def message_response(title: str, paragraph: str, status: int = 200, *, below: str = "") -> HTMLResponse:
    """Returns a page with one message. The title and the paragraph are escaped here, and the HTML `below` is not."""
    main = f"{LOGO}\n<h1>{escape(title)}</h1>\n<p>{escape(paragraph)}</p>\n{below}"
    return page_response(title, main, status)
