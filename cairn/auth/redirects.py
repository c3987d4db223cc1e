"""Where people may be sent back to."""

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

from cairn.auth.settings import AuthSettings

# A browser reads these otherwise than we do, and would go somewhere else.
AMBIGUOUS = re.compile(r"[\\\s\x00-\x1f\x7f]")
LONGEST = 2048


def redirect_target(wanted: str | None, settings: AuthSettings) -> str:
    """Anything that is not ours to send people to becomes the site itself, without a word."""
    if wanted and _is_allowed(wanted, settings):
        return wanted
    return settings.site_url


def _is_allowed(wanted: str, settings: AuthSettings) -> bool:
    if len(wanted) > LONGEST or AMBIGUOUS.search(wanted):
        return False
    try:
        target = urlsplit(wanted)
        inside = _is_site(target, urlsplit(settings.site_url))
    except ValueError:
        return False
    bare = wanted.partition("#")[0]
    return target.username is None and (inside or any(_matches(glob, bare) for glob in settings.uri_allow_list))


def _is_site(target: SplitResult, site: SplitResult) -> bool:
    if not target.hostname or target.scheme not in ("http", "https"):
        return False
    # Someone who develops on their own machine runs the pages on another port.
    if _is_loopback(site.hostname) and _is_loopback(target.hostname):
        return True
    return (target.scheme, target.hostname, target.port) == (site.scheme, site.hostname, site.port)


def _is_loopback(host: str | None) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def _matches(glob: str, url: str) -> bool:
    """`*` stops at `.` and `/`, `**` does not."""
    parts = (re.escape(part).replace(r"\*", "[^./]*") for part in glob.split("**"))
    return re.fullmatch(".*".join(parts), url) is not None
