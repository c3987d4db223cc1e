"""Shows the page that a link in an email opens, and redirects when its button is clicked.

Mail scanners open every link and some even run scripts, so opening the link must not use the token. Only the button
does.
"""

from html import escape
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from cairn.auth import limits
from cairn.auth.context import AuthContext
from cairn.auth.email_links.verify import HalfConfirmed, find_valid_token, is_pkce, verify_hash, verify_pkce_link
from cairn.auth.model import Caller
from cairn.kit import LOGO, Problem, html_page

CONFIRMATION_FORM = """\
<h1>{title}</h1>
<p>{text}</p>
<form method="post" action="{action}">
<input type="hidden" name="token" value="{token}">
<input type="hidden" name="type" value="{kind}">
<input type="hidden" name="redirect_to" value="{redirect_to}">
<button type="submit">{button}</button>
</form>"""

PAGE_TEXTS = {
    "signup": (
        "Confirm your email address",
        "If you signed up for Cairn, confirm that this is your address.",
        "Confirm my address",
    ),
    "invite": ("You are invited", "Accept to start using Cairn.", "Accept the invitation"),
    "recovery": ("Choose a new password", "Continue to the page where you choose it.", "Continue"),
    "email_change": ("Confirm the new address", "Your account moves once this is confirmed.", "Confirm the change"),
}
SIGN_IN_TEXTS = ("Sign in to Cairn", "This link signs you in once.", "Sign in")


async def confirmation_page(context: AuthContext, kind: str, token_hash: str, redirect_to: str) -> str:
    """Returns the page for a valid link without using its token, and raises an error for an invalid link."""
    async with context.transaction(read_only=True) as conn:
        await find_valid_token(context, conn, kind, token_hash)
    title, text, button = PAGE_TEXTS.get(kind, SIGN_IN_TEXTS)
    # A form cannot send headers, so the API key is in the URL. This key is public.
    action = f"{context.settings.issuer}/verify?{urlencode({'apikey': context.keyring.anon_key})}"
    fields = {"token": token_hash, "kind": kind, "redirect_to": redirect_to, "action": action}
    escaped_fields = {name: escape(value) for name, value in fields.items()}
    return html_page(title, LOGO + CONFIRMATION_FORM.format(title=title, text=text, button=button, **escaped_fields))


async def follow_link(context: AuthContext, kind: str, token_hash: str, redirect_to: str, caller: Caller) -> str:
    """Uses the token and returns the URL of the redirect."""
    await limits.check_caller_limit(context, caller, "verify", context.settings.rate_limit_verify)
    if is_pkce(token_hash):
        code = await verify_pkce_link(context, kind, token_hash, caller)
        if isinstance(code, HalfConfirmed):
            return _with_parameters(redirect_to, query={"message": code.message}, fragment={"message": code.message})
        return _with_parameters(redirect_to, query={"code": code})
    grant = await verify_hash(context, kind, token_hash, caller)
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
