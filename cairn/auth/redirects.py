"""Decides which redirect targets are allowed. A token in a URL must never reach a foreign server."""

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from cairn.auth.settings import AuthSettings

# Browsers treat a backslash as a slash and ignore line breaks, so they would open a different URL from the one checked
# here.
UNSAFE_CHARACTERS = re.compile(r"[\x00-\x20\x7f\\]")
GLOB_PART = re.compile(r"\*\*|\*|\?|[^*?]+")
# The scheme has no wildcards. The host and port end at the first slash.
GLOB = re.compile(r"(?P<scheme>[^:/*?]+):(?://(?P<authority>[^/]*))?(?P<path>.*)", re.DOTALL)
AUTHORITY_WILDCARDS = {"**": "[A-Za-z0-9.-]*", "*": "[A-Za-z0-9-]*", "?": "[A-Za-z0-9-]"}
PATH_WILDCARDS = {"**": ".*", "*": "[^./]*", "?": "[^./]"}
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
    if not target.netloc.isascii() or (target.scheme in ("http", "https") and not host):
        return False
    return any(_matches(pattern, requested_url, target) for pattern in allow_list)


def _matches(pattern: str, requested_url: str, target: SplitResult) -> bool:
    """Compares the host and the path separately, so that a wildcard for the one never matches a part of the other.

    Browsers treat some characters as the end of a host, or as a dot. So in a host, a wildcard matches only
    a-z, A-Z, digits and hyphens, and it matches no IP address.
    """
    glob = GLOB.fullmatch(pattern)
    if glob is None or glob["scheme"].lower() != target.scheme:
        return False
    path = requested_url.partition("#")[0].partition(":")[2]
    has_authority = path.startswith("//")
    if has_authority != (glob["authority"] is not None):
        return False
    if has_authority:
        path = path[len("//") + len(target.netloc) :]
    return _matches_authority(glob["authority"] or "", target) and (
        _compile_glob(glob["path"], PATH_WILDCARDS).fullmatch(path) is not None
    )


def _matches_authority(pattern: str, target: SplitResult) -> bool:
    host = target.hostname or ""
    if _is_ip_address(host) and host not in pattern:
        return False
    return _compile_glob(pattern, AUTHORITY_WILDCARDS).fullmatch(target.netloc) is not None


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
    return not _is_ip_address(host)


def _is_ip_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _compile_glob(pattern: str, wildcards: dict[str, str]) -> re.Pattern[str]:
    return re.compile("".join(wildcards.get(part) or re.escape(part) for part in GLOB_PART.findall(pattern)), re.DOTALL)
