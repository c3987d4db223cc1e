"""Sessions: opening, refreshing and looking up the session behind an access token."""

from cairn.auth.sessions.bearer import CurrentUser, current_user, principal_from_header
from cairn.auth.sessions.exchange_code import exchange_code
from cairn.auth.sessions.grant import grant, open_session
from cairn.auth.sessions.refresh import refresh, rotate

__all__ = [
    "CurrentUser",
    "current_user",
    "exchange_code",
    "grant",
    "open_session",
    "principal_from_header",
    "refresh",
    "rotate",
]
