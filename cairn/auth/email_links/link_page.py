"""Renders the page that a link in an email opens."""

from dataclasses import field
from html import escape

from cairn.kit import LOGO, frozen_dataclass, html_page

CONFIRMATION_FORM = """\
<h1>{title}</h1>
<p>{text}</p>
<form method="post" action="{action}">
<input type="hidden" name="token" value="{token}">
<input type="hidden" name="type" value="{kind}">
<input type="hidden" name="redirect_to" value="{redirect_to}">
{password_field}<button type="submit">{button}</button>
{below_button}</form>"""

# The field for the password, and what follows below the button: for a sign-up, and for a change of address.
FIELD_HTML = """\
<label for="password">Password</label>
<input type="text" name="username" value="{email}" autocomplete="username" hidden>
<input type="password" id="password" name="password" autocomplete="current-password" required autofocus{attributes}>
{problem}"""
PROBLEM_HTML = """\
<p id="problem" role="alert">{problem}</p>
"""
FORGOTTEN_HTML = """\
<p class="other">Did you not sign up yourself, or do you not know the password?</p>
<button type="submit" name="choose_password" value="yes" class="quiet" formnovalidate>Choose a new password</button>
"""
NOT_YOUR_ACCOUNT_HTML = """\
<p class="other">Is this not your account? Then close this page, and nothing changes.</p>
"""
FIELD_STYLE = """
  label { display: block; margin-top: 1.5rem; font-weight: 600 }
  input { width: 100%; min-height: 3rem; margin-top: .25rem; padding: 0 .75rem; border: 1px solid #8d8778;
          border-radius: 10px; background: transparent; color: inherit; font: inherit }
  [role=alert] { margin-top: .5rem; color: var(--red) }
  .other { margin-top: 2rem; color: var(--soft) }
  .other + button { margin-top: .75rem }
"""

# Each entry is the title, the text and the button of the page for one type of link.
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
SIGN_UP_TEXTS = (
    "Confirm your email address",
    "Enter the password that you chose when you signed up. It shows that the account is yours.",
    "Confirm my address",
)
ADDRESS_CHANGE_TEXTS = (
    "Confirm the new address",
    "The Cairn account {account} moves to this address. Enter the password of that account. It shows that the account"
    " is yours.",
    "Confirm the change",
)
CHOOSE_FIRST_HTML = """\
<h1>Choose a password first</h1>
<p>The Cairn account {account} has no password yet. Sign in to it and choose a password in its settings. Then open the
link in the email again. Is this not your account? Then close this page, and nothing changes.</p>"""


@frozen_dataclass
class FollowedLink:
    """A link from an email, and what the user has entered on its page."""

    kind: str
    token_hash: str = field(repr=False)
    redirect_to: str
    password: str | None = field(default=None, repr=False)
    # The user does not know the password, and chooses a new one next.
    chooses_new_password: bool = False


def link_page(link: FollowedLink, action: str, *, password_of: str | None, problem: str) -> str:
    """Returns the page with the button.

    If `password_of` is an address, the page also asks for the password of the account with that address.
    """
    if password_of is None:
        title, text, button = PAGE_TEXTS.get(link.kind, SIGN_IN_TEXTS)
        password_field, below_button, style = "", "", ""
    else:
        is_change = link.kind == "email_change"
        title, text, button = ADDRESS_CHANGE_TEXTS if is_change else SIGN_UP_TEXTS
        text = text.format(account=escape(password_of))
        password_field = _password_field(password_of, problem)
        below_button = NOT_YOUR_ACCOUNT_HTML if is_change else FORGOTTEN_HTML
        style = FIELD_STYLE
    fields = {"token": link.token_hash, "kind": link.kind, "redirect_to": link.redirect_to, "action": action}
    main = CONFIRMATION_FORM.format(
        title=title,
        text=text,
        button=button,
        password_field=password_field,
        below_button=below_button,
        **{name: escape(value) for name, value in fields.items()},
    )
    return html_page(title, LOGO + main, style=style)


def page_without_password(account: str) -> str:
    """Returns the page for a change of address of an account that has no password to ask for."""
    return html_page("Choose a password first", LOGO + CHOOSE_FIRST_HTML.format(account=escape(account)))


def _password_field(email: str, problem: str) -> str:
    attributes = ' aria-invalid="true" aria-describedby="problem"' if problem else ""
    problem_html = PROBLEM_HTML.format(problem=escape(problem)) if problem else ""
    return FIELD_HTML.format(email=escape(email), attributes=attributes, problem=problem_html)
