"""Shows the page that a link in an email opens, and redirects when its button is clicked.

Mail scanners open every link and some even run scripts, so opening the link must not use the token. Only the button
does. Anyone can sign up with a stranger's address, so the link of a sign-up also needs the password that was chosen
during the sign-up. If the owner of the address does not know it, they choose a new one, and the person who signed up
loses all access to the account. Anyone can request to move their own account to a stranger's address, so that link also
needs the password of the account.
"""

from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from cairn.auth import limits, store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.change_address import EMAIL_CHANGE_CURRENT, EMAIL_CHANGE_NEW
from cairn.auth.email_links.link_page import FollowedLink, link_page, page_without_password
from cairn.auth.email_links.verify import (
    HalfConfirmed,
    PasswordCheck,
    find_valid_token,
    is_pkce,
    needs_password,
    verify_hash,
    verify_pkce_link,
)
from cairn.auth.errors import LinkExpired, LinkPasswordWrong, SignUpPasswordWrong
from cairn.auth.model import Caller, Grant, OneTimeToken, User
from cairn.kit import Problem


async def asks_for_password(context: AuthContext, link: FollowedLink) -> bool:
    user, token = await _find_user(context, link)
    return needs_password(user, token.purpose)


async def confirmation_page(context: AuthContext, link: FollowedLink, *, problem: str = "") -> str:
    """Returns the page for a valid link without using its token, and raises an error for an invalid link."""
    user, token = await _find_user(context, link)
    # A form cannot send headers, so the public project key is in the URL.
    action = f"{context.settings.issuer}/verify?{urlencode({'apikey': context.keyring.anon_key})}"
    new_address = _new_address(user, token)
    if not needs_password(user, token.purpose):
        return link_page(link, action, password_of=None, new_address=new_address, problem=problem)
    if user.encrypted_password is None:
        return page_without_password(user.email or "")
    return link_page(link, action, password_of=user.email, new_address=new_address, problem=problem)


def _new_address(user: User, token: OneTimeToken) -> str:
    """Returns the address that the page for a change of address names, so that the owner notices if it is a thief's.

    The reader of an email to a new address may be a stranger. They see only their own address, even if the user has
    meanwhile requested to move the account to another one.
    """
    if token.purpose == EMAIL_CHANGE_CURRENT:
        return user.new_email or ""
    return token.sent_to if token.purpose == EMAIL_CHANGE_NEW else ""


async def _find_user(context: AuthContext, link: FollowedLink) -> tuple[User, OneTimeToken]:
    """Returns the user of a valid link, and its token."""
    async with context.transaction(read_only=True) as conn:
        token = await find_valid_token(context, conn, link.kind, link.token_hash)
        user = await store.user_by_id(conn, token.user_id)
    if user is None:
        raise LinkExpired
    return user, token


async def follow_link(context: AuthContext, link: FollowedLink, caller: Caller) -> str:
    """Uses the token and returns the URL of the redirect."""
    await limits.check_caller_limit(context, caller, "verify", context.settings.rate_limit_verify)
    kind, token_hash, redirect_to = link.kind, link.token_hash, link.redirect_to
    check = await _check_password(context, link, caller)
    if check == "forgotten":
        # The link may use PKCE, but a code would give this session to the browser of the person who signed up. So the
        # session itself is returned.
        grant = await verify_hash(context, kind, token_hash, caller, check=check)
        return _with_session(redirect_to, grant, "recovery")
    if is_pkce(token_hash):
        code = await verify_pkce_link(context, kind, token_hash, caller, check=check)
        if isinstance(code, HalfConfirmed):
            return _with_parameters(redirect_to, query={"message": code.message}, fragment={"message": code.message})
        return _with_parameters(redirect_to, query={"code": code})
    return _with_session(redirect_to, await verify_hash(context, kind, token_hash, caller, check=check), kind)


async def _check_password(context: AuthContext, link: FollowedLink, caller: Caller) -> PasswordCheck:
    """Raises an error if the link needs a password and the user has entered a wrong one."""
    user, token = await _find_user(context, link)
    purpose = token.purpose
    if not needs_password(user, purpose):
        return "not needed"
    if purpose == "signup":
        if link.chooses_new_password:
            return "forgotten"
        if link.password is None:
            # Only an API client leaves the field out. It may use the token without the password, as with a JSON body.
            return "without page"
    tries_key = limits.password_tries_key(user.email or "", caller)
    await limits.check_password_tries(context, tries_key)
    if not await context.passwords.match(link.password or "", user.encrypted_password):
        raise SignUpPasswordWrong if purpose == "signup" else LinkPasswordWrong
    async with context.transaction() as conn:
        await store.forget_password_tries(conn, tries_key)
    return "passed"


def _with_session(redirect_to: str, grant: Grant | HalfConfirmed, kind: str) -> str:
    if isinstance(grant, HalfConfirmed):
        return _with_parameters(redirect_to, fragment={"message": grant.message, "sb": ""})
    return _with_parameters(
        redirect_to,
        fragment={
            "access_token": grant.access_token,
            "expires_at": str(grant.expires_at),
            "expires_in": str(grant.expires_in),
            "refresh_token": grant.refresh_token,
            "sb": "",
            "token_type": "bearer",
            "type": kind,
        },
    )


def error_redirect(problem: Problem, token_hash: str, redirect_to: str) -> str:
    """Returns the URL that tells the application why the link did not work."""
    error = "access_denied" if problem.status < 500 else "server_error"
    parameters = {"error": error, "error_code": problem.code, "error_description": str(problem)}
    return _with_parameters(
        redirect_to, query=parameters if is_pkce(token_hash) else {}, fragment={**parameters, "sb": ""}
    )


def _with_parameters(target: str, query: dict[str, str] | None = None, fragment: dict[str, str] | None = None) -> str:
    """Keeps the query of the target and replaces its fragment."""
    parts = urlsplit(target)
    if query:
        combined_query = urlencode([*parse_qsl(parts.query, keep_blank_values=True), *query.items()])
        parts = parts._replace(query=combined_query)
    return urlunsplit(parts._replace(fragment=urlencode(fragment, quote_via=quote) if fragment else ""))
