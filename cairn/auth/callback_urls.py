"""How a session, a code or an error travels to where the person came from."""

from collections.abc import Mapping
from urllib.parse import urldefrag, urlencode, urlsplit, urlunsplit

from cairn.auth.model import Grant
from cairn.kit import Problem


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
    return f"{urldefrag(target).url}#{urlencode({name: value for name, value in facts.items() if value is not None})}"


def with_query(target: str, facts: Mapping[str, str]) -> str:
    parts = urlsplit(target)
    query = "&".join(filter(None, (parts.query, urlencode(facts))))
    return urlunsplit(parts._replace(query=query, fragment=""))


def with_error(target: str, problem: Problem, *, error: str | None = None) -> str:
    """Both in the query and in the fragment: each form of the client looks in one of them."""
    facts = {
        "error": error or ("server_error" if problem.status >= 500 else "access_denied"),
        "error_code": problem.code,
        "error_description": str(problem),
    }
    return f"{with_query(target, facts)}#{urlencode({**facts, 'sb': ''})}"
