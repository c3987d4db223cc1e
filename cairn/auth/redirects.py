"""Decides which redirect targets are allowed. A token in a URL must never reach a foreign server."""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from cairn.auth.settings import AuthSettings

# Browsers treat a backslash as a slash and ignore line breaks, so they would open a different URL from the one checked
# here.
UNSAFE_CHARACTERS = re.compile(r"[\x00-\x20\x7f\\]")
GLOB_PART = re.compile(r"\*\*|\*|\?|[^*?]+")
MAX_TARGET_LENGTH = 2000


def redirect_target(requested_url: str | None, settings: AuthSettings) -> str:
    """Returns the requested URL if it is allowed, and otherwise the URL of the site."""
    if requested_url and is_allowed(requested_url, settings.site_url, settings.uri_allow_list):
        return requested_url
    return settings.site_url


def is_allowed(requested_url: str, site_url: str, allow_list: tuple[str, ...]) -> bool:
    if UNSAFE_CHARACTERS.search(requested_url) or len(requested_url) > MAX_TARGET_LENGTH:
        return False
    try:
        target, site = urlsplit(requested_url), urlsplit(site_url)
        # Reading the port raises an error if it is not a number.
        host, _ = target.hostname or "", target.port
    except ValueError:
        return False
    if not target.scheme or target.username is not None or _is_numeric_host(host):
        return False
    if _is_site(target, site) or (site.scheme != "https" and _is_loopback(target, host)):
        return True
    without_fragment = requested_url.partition("#")[0]
    return any(_compile_glob(pattern).fullmatch(without_fragment) for pattern in allow_list)


def _is_site(target: SplitResult, site: SplitResult) -> bool:
    if target.scheme != site.scheme or target.hostname != site.hostname:
        return False
    return target.hostname == "localhost" or target.port == site.port


def _is_loopback(target: SplitResult, host: str) -> bool:
    try:
        return target.scheme in ("http", "https") and ip_address(host).is_loopback
    except ValueError:
        return False


def _is_numeric_host(host: str) -> bool:
    """Recognizes hosts such as 2130706433, 0x7f.1 or 127.1, which browsers treat as IP addresses."""
    if not re.fullmatch(r"(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+))*\.?", host, re.IGNORECASE):
        return False
    try:
        ip_address(host)
    except ValueError:
        return True
    return False


def _compile_glob(pattern: str) -> re.Pattern[str]:
    wildcards = {"**": ".*", "*": "[^./]*", "?": "[^./]"}
    return re.compile("".join(wildcards.get(part) or re.escape(part) for part in GLOB_PART.findall(pattern)), re.DOTALL)
