"""What travels with a page besides its words."""

import base64
import hashlib
import re
from collections.abc import Collection, Mapping

# Blocks of data are not run, so they need no leave.
_SCRIPT = re.compile(r"<script(?![^>]*application/(?:ld\+)?json)(?P<how>[^>]*)>(?P<words>.*?)</script>", re.DOTALL)
_TWO_YEARS = 63_072_000
_FRAMING = "frame-ancestors"


def html_headers(html: str, *, secure: bool, framed_by: str = "'none'") -> dict[str, str]:
    """`secure`: the service is reached over https, and from now on over nothing else."""
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


def framed_on(websites: Collection[str], headers: Mapping[str, str]) -> dict[str, str]:
    """The same for a page these websites may show in a frame; a star is any of them, even one without an address."""
    rules = headers["Content-Security-Policy"].partition(f"; {_FRAMING} ")[0]
    framing = "" if "*" in websites else f"; {_FRAMING} 'self' {' '.join(websites)}".rstrip()
    # The older header knows no list; where both are sent, browsers go by the policy.
    others = {name: value for name, value in headers.items() if name != "X-Frame-Options"}
    return {**others, "Content-Security-Policy": rules + framing}


def file_headers(kind: str, *, for_ever: bool) -> dict[str, str]:
    return {
        "Content-Type": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
        "Cache-Control": "public, max-age=31536000, immutable" if for_ever else "no-cache",
        "X-Content-Type-Options": "nosniff",
    }


def security_headers(*, secure: bool) -> dict[str, str]:
    return {"Strict-Transport-Security": f"max-age={_TWO_YEARS}; includeSubDomains"} if secure else {}


def _policy(html: str, framed_by: str, *, secure: bool) -> str:
    scripts = list(_SCRIPT.finditer(html))
    hashes = [f"'sha256-{_sha256(script['words'])}'" for script in scripts if "src=" not in script["how"]]
    rules = {
        "default-src": "'self'",
        # A page without scripts has nothing to allow.
        "script-src": " ".join(["'self'", *hashes]) if scripts else "'none'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self' ws: wss:",
        # A document is shown in a frame of its own before it is sent.
        "frame-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
    }
    upgrade = ["upgrade-insecure-requests"] if secure else []
    # Who may show it stands last, where `framed_on` finds it.
    return "; ".join([*(f"{name} {value}" for name, value in rules.items()), *upgrade, f"{_FRAMING} {framed_by}"])


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
