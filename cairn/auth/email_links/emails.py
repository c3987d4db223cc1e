"""What we write to people about their account. Each letter has a link, a code that does the same, or only a code."""

from dataclasses import dataclass
from uuid import uuid4

from cairn.auth.email_links.one_time import Purpose
from cairn.messaging import Email


@dataclass(frozen=True, slots=True)
class Words:
    subject: str
    opening: str
    action: str
    closing: str


NOT_YOU = "If you did not ask for this, you need not do anything."

WORDS: dict[Purpose, Words] = {
    "signup": Words(
        "Confirm your email address",
        "Welcome to Cairn. Please confirm that this is your address.",
        "Confirm my address",
        "If you did not sign up, do not confirm: somebody typed your address, and it stays unconfirmed.",
    ),
    "invite": Words(
        "You are invited to Cairn",
        "You have been invited to use Cairn for digital waivers.",
        "Accept the invitation",
        "If you did not expect this, you need not do anything.",
    ),
    "magiclink": Words("Sign in to Cairn", "Here is your way in, for one time.", "Sign in", NOT_YOU),
    "recovery": Words(
        "Choose a new password",
        "You can choose a new password for your Cairn account.",
        "Choose a new password",
        "If you did not ask for this, your password stays as it is.",
    ),
    "email_change_current": Words(
        "Your email address is about to change",
        "Your Cairn account is to move from this address to {new}. Please confirm it from here as well as from there.",
        "Confirm the change",
        "If this was not you, do not confirm, and change your password.",
    ),
    "email_change_new": Words(
        "Confirm your new email address",
        "Please confirm that your Cairn account may use this address.",
        "Confirm my new address",
        NOT_YOU,
    ),
    "reauthentication": Words(
        "Your confirmation code",
        "To confirm that it is you, enter this code in Cairn.",
        "",
        "If you did not ask for this, somebody may be using your account: change your password.",
    ),
}


def letter(purpose: Purpose, recipient: str, code: str, link: str | None, *, new: str = "") -> Email:
    words = WORDS[purpose]
    paragraphs = [words.opening.format(new=new)]
    if link is not None:
        paragraphs += [link, "Or enter this code where you are asked for it:"]
    paragraphs += [code, words.closing]
    return Email(uuid4(), recipient, words.subject, "\n\n".join(paragraphs), action=words.action or None)


def text_message(code: str) -> str:
    return f"{code} is your Cairn code. Tell it to nobody."
