from uuid import uuid4

from cairn.auth.email_links.one_time_token import Purpose
from cairn.auth.model import User
from cairn.kit import frozen_dataclass
from cairn.messaging import Email, neutral_name


@frozen_dataclass
class EmailText:
    subject: str
    opening: str
    action: str
    closing: str


NOT_YOU = "If you did not request this, you can ignore this email."

EMAIL_TEXTS: dict[Purpose, EmailText] = {
    "signup": EmailText(
        "Confirm your email address",
        "Welcome to Cairn. Please confirm that this is your address.",
        "Confirm my address",
        "If you did not sign up, you can ignore this email.",
    ),
    "invite": EmailText(
        "You are invited to Cairn",
        "You have been invited to use Cairn for digital waivers.",
        "Accept the invitation",
        "If you did not expect this, you can ignore this email.",
    ),
    "magiclink": EmailText("Sign in to Cairn", "Use this link to sign in. It works once.", "Sign in", NOT_YOU),
    "recovery": EmailText(
        "Choose a new password",
        "You can choose a new password for your Cairn account.",
        "Choose a new password",
        "If you did not request this, your password stays the same.",
    ),
    "email_change_current": EmailText(
        "Your email address is about to change",
        "Your Cairn account will move from this address to {new}. Please confirm the change from both addresses.",
        "Confirm the change",
        "If this was not you, do not confirm, and change your password.",
    ),
    "email_change_new": EmailText(
        "Confirm your new email address",
        "{account} will move to this address if you confirm it. Confirm only if it is your account.",
        "Confirm my new address",
        "If it is not your account, do not use the link or the code. Without them, nothing changes.",
    ),
    "reauthentication": EmailText(
        "Your confirmation code",
        "To confirm that it is you, enter this code in Cairn.",
        "",
        "If you did not request this, someone else may be using your account: change your password.",
    ),
}


PASSWORD_CHANGED = EmailText(
    "Your password was changed",
    "The password of your Cairn account was changed, and every other session was signed out.",
    "",
    "If this was not you, use “Forgot password?” on the sign-in page to choose a new one.",
)


def account_name(user: User) -> str:
    """Returns how the email to the new address names the account.

    The owner of the new address may be a stranger. Anyone can sign up with an address that is really a message, such as
    `call-us-now@example.com`, so the address of the account is named only if it is confirmed.
    """
    address = neutral_name(user.email or "", "") if user.email_confirmed_at else ""
    return f"The Cairn account {address}" if address else "A Cairn account"


def compose_email(
    purpose: Purpose, recipient: str, code: str, link: str | None, *, account: str = "", new_address: str = ""
) -> Email:
    """Writes the email. `account` is the name of the account, and `new_address` the address it will move to."""
    text = EMAIL_TEXTS[purpose]
    paragraphs = [text.opening.format(account=account, new=new_address)]
    if link is not None:
        paragraphs += [link, "Or enter this code where Cairn asks for it:"]
    paragraphs += [code, text.closing]
    return Email(uuid4(), recipient, text.subject, "\n\n".join(paragraphs), action=text.action or None)


def compose_password_notice(recipient: str) -> Email:
    """Writes the email about a new password. It has no link, because an imitation of it could lead anywhere."""
    text = PASSWORD_CHANGED
    return Email(uuid4(), recipient, text.subject, "\n\n".join([text.opening, text.closing]))


def compose_text_message(code: str) -> str:
    return f"{code} is your Cairn code. Don't share this code."
