"""Sets the HTTP headers of pages and files: content type, caching and security."""

import base64
import hashlib
import re
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

# JSON blocks are not executed, so they need no hash in the policy.
_SCRIPT = re.compile(
    r"<script(?![^>]*application/(?:ld\+)?json)(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL
)
_FRAME_ANCESTORS = "frame-ancestors"
_SCRIPT_TYPES = ("text/javascript", "application/javascript")
# The policy of a script file also applies to the worker that it starts. The service worker fetches pages of this site.
_SCRIPT_FILE_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
# An SVG image contains its own styles.
_FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


def html_headers(html: str, *, site_url: str, framed_by: str = "'none'") -> dict[str, str]:
    """Returns the headers of an HTML page.

    `site_url` is the public URL of the service, to which the page may connect. `framed_by` says who may show the page
    in a frame.
    """
    return {
        "Content-Type": "text/html; charset=utf-8",
        "Cache-Control": "no-cache",
        "Content-Security-Policy": _policy(html, framed_by, site_url),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
        "Referrer-Policy": "strict-origin-when-cross-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY" if framed_by == "'none'" else "SAMEORIGIN",
    }


def allow_framing_on(websites: Collection[str], headers: Mapping[str, str]) -> dict[str, str]:
    """Returns the headers of a page that these websites may show in a frame. `*` allows every website."""
    rules = headers["Content-Security-Policy"].partition(f"; {_FRAME_ANCESTORS} ")[0]
    framing = "" if "*" in websites else f"; {_FRAME_ANCESTORS} 'self' {' '.join(websites)}".rstrip()
    # X-Frame-Options supports no list of websites; browsers prefer the policy where both are sent.
    others = {name: value for name, value in headers.items() if name != "X-Frame-Options"}
    return {**others, "Content-Security-Policy": rules + framing}


def file_headers(media_type: str, *, immutable: bool) -> dict[str, str]:
    return {
        "Content-Type": f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type,
        "Cache-Control": "public, max-age=31536000, immutable" if immutable else "no-cache",
        "Content-Security-Policy": _SCRIPT_FILE_POLICY if media_type in _SCRIPT_TYPES else _FILE_POLICY,
        "X-Content-Type-Options": "nosniff",
    }


def _policy(html: str, framed_by: str, site_url: str) -> str:
    scripts = list(_SCRIPT.finditer(html))
    hashes = [f"'sha256-{_sha256(script['code'])}'" for script in scripts if "src=" not in script["attributes"]]
    rules = {
        "default-src": "'self'",
        # A page without scripts allows none.
        "script-src": " ".join(["'self'", *hashes]) if scripts else "'none'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": f"'self' {_websocket_origin(site_url)}".rstrip() if scripts else "'none'",
        # The preview of a document is shown in a frame.
        "frame-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
    }
    upgrade = ["upgrade-insecure-requests"] if site_url.startswith("https://") else []
    # frame-ancestors must be the last rule, because `allow_framing_on` replaces it.
    return "; ".join(
        [*(f"{name} {value}" for name, value in rules.items()), *upgrade, f"{_FRAME_ANCESTORS} {framed_by}"]
    )


def _websocket_origin(site_url: str) -> str:
    """Returns the origin of the websockets of the site, which older browsers do not count as 'self'."""
    host = urlsplit(site_url).netloc
    # A policy cannot contain an IPv6 address.
    if "[" in host:
        return ""
    return f"wss://{host}" if site_url.startswith("https://") else f"ws://{host}"


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
