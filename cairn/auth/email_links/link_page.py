"""Renders the page that a link in an email opens."""

from dataclasses import field
from html import escape

from cairn.kit import LOGO, frozen_dataclass, html_page
from cairn.translations import Text, text

CONFIRMATION_FORM = """\
<h1>{title}</h1>
<p>{text}</p>
<form method="post" action="{action}">
<input type="hidden" name="token" value="{token}">
<input type="hidden" name="type" value="{kind}">
<input type="hidden" name="redirect_to" value="{redirect_to}">
{password_field}<button type="submit">{button}</button>
{below_button}</form>"""

FIELD_HTML = """\
<label for="password">{label}</label>
<input type="text" name="username" value="{email}" autocomplete="username" hidden>
<input type="password" id="password" name="password" autocomplete="current-password" required autofocus{attributes}>
{problem}"""
PROBLEM_HTML = """\
<p id="problem" role="alert">{problem}</p>
"""
# The two parts that may follow below the button: the first for a sign-up, the second for a change of address.
FORGOTTEN_HTML = """\
<p class="other">{question}</p>
<button type="submit" name="choose_password" value="yes" class="quiet" formnovalidate>{button}</button>
"""
NOT_YOUR_ACCOUNT_HTML = """\
<p class="other">{text}</p>
"""
FIELD_STYLE = """
  label { display: block; margin-top: 1.5rem; font-weight: 600 }
  input { width: 100%; min-height: 3rem; margin-top: .25rem; padding: 0 .75rem; border: 1px solid var(--edge);
          border-radius: 10px; background: transparent; color: inherit; font: inherit }
  [role=alert] { margin-top: .5rem; color: var(--red) }
  .other { margin-top: 2rem; color: var(--soft) }
  .other + button { margin-top: .75rem }
"""

NOT_YOUR_ACCOUNT = text("Is this not your account? Then close this page, and nothing changes.")


@frozen_dataclass
class PageTexts:
    title: Text
    text: Text
    button: Text


# The texts of the page for each type of link.
PAGE_TEXTS = {
    "signup": PageTexts(
        text("Confirm your email address"),
        text("Confirm that you signed up for Cairn with this address."),
        text("Confirm my address"),
    ),
    "invite": PageTexts(text("You are invited"), text("Accept to start using Cairn."), text("Accept the invitation")),
    "recovery": PageTexts(text("Choose a new password"), text("You can choose it on the next page."), text("Continue")),
    "email_change": PageTexts(
        text("Confirm the new address"),
        text("Your account moves to {address} once this is confirmed."),
        text("Confirm the change"),
    ),
}
SIGN_IN_TEXTS = PageTexts(text("Sign in to Cairn"), text("This link signs you in once."), text("Sign in"))
SIGN_UP_TEXTS = PageTexts(
    text("Confirm your email address"),
    text("Enter the password that you chose when you signed up. It shows that the account is yours."),
    text("Confirm my address"),
)
ADDRESS_CHANGE_TEXTS = PageTexts(
    text("Confirm the new address"),
    text(
        "The Cairn account {account} moves to {address}. Enter the password of that account. It shows that the"
        " account is yours."
    ),
    text("Confirm the change"),
)
CHOOSE_FIRST_TITLE = text("Choose a password first")
CHOOSE_FIRST_TEXT = text(
    "The Cairn account {account} has no password yet. Sign in to it and choose a password in its settings. Then open"
    " the link in the email again."
)


@frozen_dataclass
class FollowedLink:
    """A link from an email, and what the user has entered on its page."""

    kind: str
    token_hash: str = field(repr=False)
    redirect_to: str
    password: str | None = field(default=None, repr=False)
    # The user does not know the password, and chooses a new one next.
    chooses_new_password: bool = False


def link_page(link: FollowedLink, action: str, *, password_of: str | None, new_address: str, problem: str) -> str:
    """Returns the page with the button.

    If `password_of` is an address, the page also asks for the password of the account with that address.
    `new_address` is the address to which an account moves. It is empty for other links.
    """
    if password_of is None:
        texts = PAGE_TEXTS.get(link.kind, SIGN_IN_TEXTS)
        password_field, below_button, style = "", "", ""
    else:
        is_change = link.kind == "email_change"
        texts = ADDRESS_CHANGE_TEXTS if is_change else SIGN_UP_TEXTS
        password_field = _password_field(password_of, problem)
        below_button = _not_your_account() if is_change else _forgotten()
        style = FIELD_STYLE
    fields = {
        "title": str(texts.title),
        "text": texts.text.format(account=password_of, address=new_address),
        "button": str(texts.button),
        "token": link.token_hash,
        "kind": link.kind,
        "redirect_to": link.redirect_to,
        "action": action,
    }
    main = CONFIRMATION_FORM.format(
        password_field=password_field,
        below_button=below_button,
        **{name: escape(value) for name, value in fields.items()},
    )
    return html_page(str(texts.title), LOGO + main, style=style)


def page_without_password(account: str) -> str:
    """Returns the page for a change of address of an account that has no password to ask for."""
    paragraph = f"{CHOOSE_FIRST_TEXT.format(account=account)} {NOT_YOUR_ACCOUNT}"
    title = str(CHOOSE_FIRST_TITLE)
    return html_page(title, f"{LOGO}<h1>{escape(title)}</h1>\n<p>{escape(paragraph)}</p>")


def _password_field(email: str, problem: str) -> str:
    attributes = ' aria-invalid="true" aria-describedby="problem"' if problem else ""
    problem_html = PROBLEM_HTML.format(problem=escape(problem)) if problem else ""
    return FIELD_HTML.format(
        label=text("Password").html(), email=escape(email), attributes=attributes, problem=problem_html
    )


def _forgotten() -> str:
    question = text("Did you not sign up yourself, or do you not know the password?")
    return FORGOTTEN_HTML.format(question=question.html(), button=text("Choose a new password").html())


def _not_your_account() -> str:
    return NOT_YOUR_ACCOUNT_HTML.format(text=NOT_YOUR_ACCOUNT.html())
