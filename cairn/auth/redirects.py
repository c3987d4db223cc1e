"""Where a link may lead: a token in an address must never reach a stranger's server."""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from cairn.auth.settings import AuthSettings

# Browsers read a backslash as a slash and drop line breaks, so what we compare would not be where they go.
TREACHEROUS = re.compile(r"[\x00-\x20\x7f\\]")
GLOB = re.compile(r"\*\*|\*|\?|[^*?]+")
LONGEST_TARGET = 2000


def redirect_target(wanted: str | None, settings: AuthSettings) -> str:
    """The address asked for, or, when it is not allowed, silently the site's own."""
    if wanted and is_allowed(wanted, settings.site_url, settings.uri_allow_list):
        return wanted
    return settings.site_url


def is_allowed(wanted: str, site_url: str, allow_list: tuple[str, ...]) -> bool:
    if TREACHEROUS.search(wanted) or len(wanted) > LONGEST_TARGET:
        return False
    try:
        target, site = urlsplit(wanted), urlsplit(site_url)
        host, _ = target.hostname or "", target.port
    except ValueError:
        return False
    if not target.scheme or target.username is not None or _is_disguised(host):
        return False
    if _is_site(target, site) or _is_loopback(target, host):
        return True
    bare = wanted.partition("#")[0]
    return any(_glob(pattern).fullmatch(bare) for pattern in allow_list)


def _is_site(target: SplitResult, site: SplitResult) -> bool:
    if target.scheme != site.scheme or target.hostname != site.hostname:
        return False
    return target.hostname == "localhost" or target.port == site.port


def _is_loopback(target: SplitResult, host: str) -> bool:
    try:
        return target.scheme in ("http", "https") and ip_address(host).is_loopback
    except ValueError:
        return False


def _is_disguised(host: str) -> bool:
    """A number that browsers would read as an address, such as 2130706433, 0x7f.1 or 127.1."""
    if not re.fullmatch(r"(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+))*\.?", host, re.IGNORECASE):
        return False
    try:
        ip_address(host)
    except ValueError:
        return True
    return False


def _glob(pattern: str) -> re.Pattern[str]:
    words = {"**": ".*", "*": "[^./]*", "?": "[^./]"}
    return re.compile("".join(words.get(part) or re.escape(part) for part in GLOB.findall(pattern)), re.DOTALL)
