"""Where people may be sent back to, and how a session, a code or an error travels there."""

import ipaddress
import re
from collections.abc import Mapping, Sequence
from urllib.parse import SplitResult, urlencode, urlsplit, urlunsplit

from cairn.auth.grant import Grant
from cairn.kit import Problem

# A browser reads these otherwise than we do, and would go somewhere else.
AMBIGUOUS = re.compile(r"[\\\s\x00-\x1f\x7f]")
LONGEST = 2048


def allowed_redirect(asked: str | None, site_url: str, allowed: Sequence[str] = ()) -> str:
    """Anything that is not ours to send people to becomes the site itself, without a word."""
    if not asked or len(asked) > LONGEST or AMBIGUOUS.search(asked):
        return site_url
    try:
        target, site = urlsplit(asked), urlsplit(site_url)
        inside = _is_site(target, site)
    except ValueError:
        return site_url
    bare = urlunsplit(target._replace(fragment=""))
    if target.username is None and (inside or any(_matches(glob, bare) for glob in allowed)):
        return bare
    return site_url


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


def with_session(target: str, granted: Grant) -> str:
    """In the fragment, which browsers keep to themselves and send to no server."""
    facts = {
        "access_token": granted.access_token,
        "expires_at": str(granted.expires_at),
        "expires_in": str(granted.expires_in),
        "provider_refresh_token": granted.provider_refresh_token,
        "provider_token": granted.provider_token,
        "refresh_token": granted.refresh_token,
        "sb": "",
        "token_type": "bearer",
    }
    return f"{target}#{urlencode({name: value for name, value in facts.items() if value is not None})}"


def with_query(target: str, facts: Mapping[str, str]) -> str:
    parts = urlsplit(target)
    query = "&".join(filter(None, (parts.query, urlencode(facts))))
    return urlunsplit(parts._replace(query=query))


def with_error(target: str, problem: Problem, *, error: str | None = None) -> str:
    """Both in the query and in the fragment: each form of the client looks in one of them."""
    facts = {
        "error": error or ("server_error" if problem.status >= 500 else "access_denied"),
        "error_code": problem.code,
        "error_description": str(problem),
    }
    return f"{with_query(target, facts)}#{urlencode({**facts, 'sb': ''})}"
