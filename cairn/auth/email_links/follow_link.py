"""What opening a mailed link does, and where it leads.

Mail scanners open every link, and some run the page behind it. So a link only shows a page; its button is what counts.
"""

from html import escape
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from cairn.auth import limits
from cairn.auth.context import AuthContext
from cairn.auth.email_links.verify import HalfConfirmed, find_valid_token, is_pkce, verify_hash, verify_pkce_link
from cairn.auth.model import Caller
from cairn.kit import Problem

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title} · Cairn</title>
<style>
  body {{ margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f5f3ef; color: #23211d;
         font: 17px/1.6 system-ui, sans-serif }}
  main {{ max-width: 26rem; margin: 1rem; padding: 2rem; background: #fff; border: 1px solid #e3dfd7;
         border-radius: 14px }}
  h1 {{ margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.3 }}
  button {{ width: 100%; min-height: 3rem; margin-top: 1rem; border: 0; border-radius: 10px; background: #1f5138;
           color: #fff; font: inherit; font-weight: 600; cursor: pointer }}
  button:focus-visible {{ outline: 3px solid #c9772b; outline-offset: 2px }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{words}</p>
<form method="post" action="{action}">
<input type="hidden" name="token" value="{token}">
<input type="hidden" name="type" value="{kind}">
<input type="hidden" name="redirect_to" value="{redirect_to}">
<button type="submit">{button}</button>
</form>
</main>
</body>
</html>
"""

WORDS = {
    "signup": (
        "Confirm your email address",
        "Only if it was you who signed up: one click, and this address is yours on Cairn.",
        "Confirm my address",
    ),
    "invite": ("You are invited", "Accept to start using Cairn.", "Accept the invitation"),
    "recovery": ("Choose a new password", "Continue to the page where you choose it.", "Continue"),
    "email_change": ("Confirm the new address", "Your account moves once this is confirmed.", "Confirm the change"),
}
SIGN_IN = ("Sign in to Cairn", "This link signs you in once.", "Sign in")


async def show_page(context: AuthContext, kind: str, hashed: str, redirect_to: str) -> str:
    """Refuses a link that is worth nothing at once; a good one is not used up by looking."""
    async with context.transaction(read_only=True) as conn:
        await find_valid_token(context, conn, kind, hashed)
    title, words, button = WORDS.get(kind, SIGN_IN)
    # A form cannot send a header, so the key that names this project travels in its address; it is public.
    action = f"{context.settings.issuer}/verify?{urlencode({'apikey': context.keyring.anon_key})}"
    fields = {"token": hashed, "kind": kind, "redirect_to": redirect_to, "action": action}
    return PAGE.format(
        title=title, words=words, button=button, **{name: escape(value) for name, value in fields.items()}
    )


async def follow(context: AuthContext, kind: str, hashed: str, redirect_to: str, caller: Caller) -> str:
    """Uses the link up; answers where the browser goes next."""
    await limits.check_caller(context, caller, "verify", context.settings.rate_limit_verify)
    if is_pkce(hashed):
        code = await verify_pkce_link(context, kind, hashed, caller)
        if isinstance(code, HalfConfirmed):
            return at(redirect_to, query={"message": code.message}, fragment={"message": code.message})
        return at(redirect_to, query={"code": code})
    granted = await verify_hash(context, kind, hashed, caller)
    if isinstance(granted, HalfConfirmed):
        return at(redirect_to, fragment={"message": granted.message, "sb": ""})
    return at(
        redirect_to,
        fragment={
            "access_token": granted.access_token,
            "expires_at": str(granted.expires_at),
            "expires_in": str(granted.expires_in),
            "refresh_token": granted.refresh_token,
            "sb": "",
            "token_type": "bearer",
            "type": kind,
        },
    )


def refused(problem: Problem, hashed: str, redirect_to: str) -> str:
    """Where a browser learns why a link did not work."""
    error = "access_denied" if problem.status < 500 else "server_error"
    facts = {"error": error, "error_code": problem.code, "error_description": str(problem)}
    return at(redirect_to, query=facts if is_pkce(hashed) else {}, fragment={**facts, "sb": ""})


def at(target: str, query: dict[str, str] | None = None, fragment: dict[str, str] | None = None) -> str:
    """What the target says already stays; only its fragment gives way."""
    parts = urlsplit(target)
    if query:
        asked = urlencode([*parse_qsl(parts.query, keep_blank_values=True), *query.items()])
        parts = parts._replace(query=asked)
    return urlunsplit(parts._replace(fragment=urlencode(fragment, quote_via=quote) if fragment else ""))
