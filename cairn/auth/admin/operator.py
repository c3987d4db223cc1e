"""The operator manages users with these functions at the command line."""

from uuid import UUID

from cairn.auth import store
from cairn.auth.admin.ban import MAX_BAN_SECONDS, ban_until
from cairn.auth.context import AuthContext
from cairn.auth.email_links import LinkParameters, generate_link
from cairn.auth.errors import NoUserWithEmail
from cairn.auth.model import Caller, EmailLinkRequest, User
from cairn.auth.passwords import Passwords
from cairn.auth.settings import AuthSettings
from cairn.auth.tokens import Keyring
from cairn.db import Database
from cairn.kit import now

_OPERATOR = Caller(ip=None, user_agent=None)
# The page on which a user chooses a new password.
_NEW_PASSWORD_PAGE = "/forgot-password"  # noqa: S105 - a path


class UserAdministration:
    def __init__(self, database: Database, settings: AuthSettings) -> None:
        self._context = AuthContext(database, Keyring(settings), settings, Passwords())

    async def search(self, text: str, limit: int) -> list[User]:
        """Returns the newest users whose address or name contains the text."""
        async with self._context.transaction(read_only=True) as conn:
            users, _ = await store.search_users(conn, text, limit=limit, offset=0)
        return users

    async def find(self, id_or_email: str) -> User | None:
        async with self._context.transaction(read_only=True) as conn:
            user_id = _uuid(id_or_email)
            if user_id is not None:
                return await store.user_by_id(conn, user_id)
            return await store.user_by_email(conn, id_or_email.strip().lower())

    async def suspend(self, user: User) -> None:
        """Ends all sessions of the user, who cannot sign in again until `resume` is called."""
        until = ban_until(f"{MAX_BAN_SECONDS:.0f}s", now())
        async with self._context.transaction() as conn:
            await store.change_as_admin(conn, user.id, app_metadata={}, changes_ban=True, banned_until=until)
            await store.end_all_sessions(conn, user.id)
            await store.add_audit_entry(conn, "user_suspended", user.id, _OPERATOR, by="operator")

    async def resume(self, user: User) -> None:
        async with self._context.transaction() as conn:
            await store.change_as_admin(conn, user.id, app_metadata={}, changes_ban=True, banned_until=None)
            await store.add_audit_entry(conn, "user_resumed", user.id, _OPERATOR, by="operator")

    async def recovery_link(self, user: User) -> str:
        """Returns a link with which the user chooses a new password. It works once."""
        if user.email is None:
            raise NoUserWithEmail
        parameters = LinkParameters("recovery", user.email, new_email=None, password=None, data={})
        page = self._context.settings.site_url.rstrip("/") + _NEW_PASSWORD_PAGE
        link = await generate_link(self._context, parameters, EmailLinkRequest(page, None, _OPERATOR))
        return link.properties["action_link"]


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
