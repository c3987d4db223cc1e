"""Sets the HTTP headers of pages and files: content type, caching and security."""

import base64
import hashlib
import re
from collections.abc import Collection, Mapping

# JSON blocks are not executed, so they need no hash in the policy.
_SCRIPT = re.compile(
    r"<script(?![^>]*application/(?:ld\+)?json)(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL
)
_TWO_YEARS_SECONDS = 63_072_000
_FRAME_ANCESTORS = "frame-ancestors"


def html_headers(html: str, *, secure: bool, framed_by: str = "'none'") -> dict[str, str]:
    """Returns the headers of an HTML page.

    `secure` means that the service is reached over HTTPS. Browsers must then no longer use plain HTTP. `framed_by` says
    who may show the page in a frame.
    """
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Cache-Control": "no-cache",
        "Content-Security-Policy": _policy(html, framed_by, secure=secure),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
        "Referrer-Policy": "strict-origin-when-cross-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY" if framed_by == "'none'" else "SAMEORIGIN",
    }
    return {**headers, **security_headers(secure=secure)}


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
        "X-Content-Type-Options": "nosniff",
    }


def security_headers(*, secure: bool) -> dict[str, str]:
    return {"Strict-Transport-Security": f"max-age={_TWO_YEARS_SECONDS}; includeSubDomains"} if secure else {}


def _policy(html: str, framed_by: str, *, secure: bool) -> str:
    scripts = list(_SCRIPT.finditer(html))
    hashes = [f"'sha256-{_sha256(script['code'])}'" for script in scripts if "src=" not in script["attributes"]]
    rules = {
        "default-src": "'self'",
        # A page without scripts allows none.
        "script-src": " ".join(["'self'", *hashes]) if scripts else "'none'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self' ws: wss:",
        # The preview of a document is shown in a frame.
        "frame-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
    }
    upgrade = ["upgrade-insecure-requests"] if secure else []
    # frame-ancestors must be the last rule, because `allow_framing_on` replaces it.
    return "; ".join(
        [*(f"{name} {value}" for name, value in rules.items()), *upgrade, f"{_FRAME_ANCESTORS} {framed_by}"]
    )


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
