"""This package opens and refreshes sessions, and finds the session of an access token."""

from cairn.auth.sessions.bearer import CurrentUser, current_user, principal_from_header
from cairn.auth.sessions.exchange_code import exchange_code
from cairn.auth.sessions.grant import issue_tokens, open_session
from cairn.auth.sessions.refresh import refresh, rotate_refresh_token

__all__ = [
    "CurrentUser",
    "current_user",
    "exchange_code",
    "issue_tokens",
    "open_session",
    "principal_from_header",
    "refresh",
    "rotate_refresh_token",
]
