"""Builds the URLs that return a session, a code or an error to the application that started the sign-in."""

from collections.abc import Mapping
from urllib.parse import urldefrag, urlencode, urlsplit, urlunsplit

from cairn.auth.model import Grant
from cairn.kit import Problem


def with_session(target: str, grant: Grant) -> str:
    """Puts the session into the fragment, which browsers do not send to servers."""
    parameters = {
        "access_token": grant.access_token,
        "expires_at": str(grant.expires_at),
        "expires_in": str(grant.expires_in),
        "provider_refresh_token": grant.provider_refresh_token,
        "provider_token": grant.provider_token,
        "refresh_token": grant.refresh_token,
        "sb": "",
        "token_type": "bearer",
    }
    return (
        f"{urldefrag(target).url}#{urlencode({name: value for name, value in parameters.items() if value is not None})}"
    )


def with_query(target: str, parameters: Mapping[str, str]) -> str:
    parts = urlsplit(target)
    query = "&".join(filter(None, (parts.query, urlencode(parameters))))
    return urlunsplit(parts._replace(query=query, fragment=""))


def with_error(target: str, problem: Problem, *, error: str | None = None) -> str:
    """Puts the error into both query and fragment: PKCE clients read the query, other clients the fragment."""
    parameters = {
        "error": error or ("server_error" if problem.status >= 500 else "access_denied"),
        "error_code": problem.code,
        "error_description": str(problem),
    }
    return f"{with_query(target, parameters)}#{urlencode({**parameters, 'sb': ''})}"
