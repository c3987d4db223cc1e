from uuid import uuid4

from cairn.auth.email_links.one_time_token import Purpose
from cairn.auth.model import User
from cairn.kit import frozen_dataclass
from cairn.messaging import Email, email_body, greeting, neutral_name
from cairn.translations import Text, text


@frozen_dataclass
class EmailText:
    subject: Text
    opening: Text
    closing: Text
    # The label of the button, if the email has a link.
    action: Text | None = None


NOT_YOU = text("If you did not request this, you can ignore this email.")

EMAIL_TEXTS: dict[Purpose, EmailText] = {
    "signup": EmailText(
        text("Confirm your email address"),
        text("Welcome to Cairn! Please confirm that this is your email address."),
        text("If you did not sign up, you can ignore this email."),
        action=text("Confirm my address"),
    ),
    "invite": EmailText(
        text("You are invited to Cairn"),
        text("You have been invited to use Cairn for digital waivers."),
        text("If you did not expect this, you can ignore this email."),
        action=text("Accept the invitation"),
    ),
    "magiclink": EmailText(
        text("Sign in to Cairn"),
        text("Use this link to sign in. It works once."),
        NOT_YOU,
        action=text("Sign in"),
    ),
    "recovery": EmailText(
        text("Choose a new password"),
        text("You asked for a new password for your Cairn account. Choose it here:"),
        text("If you did not request this, your password stays the same."),
        action=text("Choose a new password"),
    ),
    "email_change_current": EmailText(
        text("Your email address is about to change"),
        text("Your Cairn account will move from this address to {new}. Please confirm the change from both addresses."),
        text("If this was not you, do not confirm, and change your password."),
        action=text("Confirm the change"),
    ),
    "email_change_new": EmailText(
        text("Confirm your new email address"),
        text("{account} will move to this address if you confirm it. Confirm only if it is your account."),
        text("If it is not your account, ignore this email, and nothing changes."),
        action=text("Confirm my new address"),
    ),
    "reauthentication": EmailText(
        text("Your confirmation code"),
        text("To confirm that it is you, enter this code in Cairn."),
        text("If you did not request this, someone else may be using your account: change your password."),
    ),
}


PASSWORD_CHANGED = EmailText(
    text("Your password was changed"),
    text("The password of your Cairn account was changed, and every other session was signed out."),
    text("If this was not you, use “Forgot password?” on the sign-in page to choose a new one."),
)
_OR_CODE = text("Or enter this code:")
_NAMED_ACCOUNT = text("The Cairn account {address}")
_UNNAMED_ACCOUNT = text("A Cairn account")
_TEXT_MESSAGE = text("{code} is your Cairn code. Don't share this code.")


def account_name(user: User) -> str:
    """Returns how the email to the new address names the account.

    The owner of the new address may be a stranger. Anyone can sign up with an address that is really a message, such as
    `call-us-now@example.com`, so the address of the account is named only if it is confirmed.
    """
    address = neutral_name(user.email or "", "") if user.email_confirmed_at else ""
    return _NAMED_ACCOUNT.format(address=address) if address else str(_UNNAMED_ACCOUNT)


def compose_email(
    purpose: Purpose,
    recipient: str,
    code: str | None,
    link: str | None,
    *,
    name: str = "",
    account: str = "",
    new_address: str = "",
) -> Email:
    """Writes an email with a link, a code or both.

    `name` is that of the reader, `account` names the account, and `new_address` is where the account will move.
    """
    email = EMAIL_TEXTS[purpose]
    paragraphs = [greeting(name), email.opening.format(account=account, new=new_address)]
    if link is not None:
        paragraphs.append(link)
    if link is not None and code is not None:
        paragraphs.append(str(_OR_CODE))
    if code is not None:
        paragraphs.append(code)
    body = email_body(*paragraphs, str(email.closing))
    action = None if email.action is None else str(email.action)
    return Email(uuid4(), recipient, str(email.subject), body, action=action)


def compose_password_notice(recipient: str, name: str) -> Email:
    """Writes the email about a new password. It has no link, so that users do not trust a link in a forged one."""
    email = PASSWORD_CHANGED
    body = email_body(greeting(name), str(email.opening), str(email.closing))
    return Email(uuid4(), recipient, str(email.subject), body)


def compose_text_message(code: str) -> str:
    return _TEXT_MESSAGE.format(code=code)
