"""Renders the pages that work without JavaScript: mailed links, reminders and the payment sandbox."""

from html import escape

from starlette.responses import HTMLResponse

PRIVATE_PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}
"""With these headers a page is not cached, not indexed and not framed, and it cannot run scripts."""

LOGO = """\
<svg width="30" height="30" viewBox="0 0 30 30" fill="currentColor" aria-hidden="true">
<rect x="10" y="3" width="10" height="6" rx="3"/><rect x="6" y="11" width="18" height="7" rx="3.5"/>
<rect x="1" y="20" width="28" height="8" rx="4"/></svg>"""

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

_STYLE = """
  :root { color-scheme: light dark; --text: light-dark(#23211d, #f1eee8); --soft: light-dark(#625d53, #b9b3a7);
          --line: light-dark(#d9d4ca, #4a453e); --forest: light-dark(#1f5138, #8fd3ab);
          --red: light-dark(#a3261c, #ff9b8f) }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem;
         font: 17px/1.6 system-ui, sans-serif; background: light-dark(#f5f3ef, #1c1a17); color: var(--text) }
  main { width: min(28rem, 100%); padding: 2rem; border: 1px solid var(--line); border-radius: 14px; overflow: hidden;
         background: light-dark(#fff, #262320) }
  svg { display: block; color: var(--forest) }
  h1 { margin: 1rem 0 .5rem; font-size: 1.4rem; line-height: 1.3; overflow-wrap: anywhere }
  p { margin: 0; overflow-wrap: anywhere }
  button, .button { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 3rem;
           margin-top: 1.5rem; border: 0; border-radius: 10px; cursor: pointer; background: var(--forest);
           color: light-dark(#fff, #10261a); font: inherit; font-weight: 600; text-decoration: none }
  .quiet { background: none; border: 1px solid light-dark(#8d8778, #8d8778); color: inherit }
  :is(button, .button, input):focus-visible { outline: 3px solid #c9772b; outline-offset: 2px }
"""


def html_page(title: str, main: str, *, product: str = "Cairn", style: str = "") -> str:
    """Returns a complete HTML document. `title` is escaped here; `main` is HTML that the caller has escaped."""
    return _PAGE_TEMPLATE.format(title=escape(title), product=product, style=_STYLE + style, main=main)


def page_response(title: str, main: str, status: int = 200, *, product: str = "Cairn", style: str = "") -> HTMLResponse:
    return HTMLResponse(html_page(title, main, product=product, style=style), status, PRIVATE_PAGE_HEADERS)


def message_response(title: str, paragraph: str, status: int = 200, *, below: str = "") -> HTMLResponse:
    """Returns a page with one message. The title and the paragraph are escaped here, and the HTML `below` is not."""
    main = f"{LOGO}\n<h1>{escape(title)}</h1>\n<p>{escape(paragraph)}</p>\n{below}"
    return page_response(title, main, status)
