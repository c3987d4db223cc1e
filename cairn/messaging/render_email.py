"""How a mail looks: the same words as plain text and as html. Whatever people typed stays text."""

import re
from email.message import EmailMessage
from email.utils import formataddr
from html import escape

from cairn.messaging.email import Email
from cairn.messaging.email_layout import BUTTON, CODE, LINK, PAGE, PARAGRAPH, STOP

_LINK = re.compile(r"https?://[^\s<>\"]+")
_CODE = re.compile(r"\d{6,10}")
_PREVIEW_CHARACTERS = 110


def mime(email: Email, sender: str) -> EmailMessage:
    """A whole message. Its id is made from the mail's, so that a mail sent twice can be known as one."""
    message = EmailMessage()
    message["From"] = formataddr((email.sender_name or "Cairn", sender))
    message["To"] = email.recipient
    message["Subject"] = email.subject
    message["Message-ID"] = message_id(email, sender)
    if email.reply_to:
        message["Reply-To"] = email.reply_to
    for name, value in extra_headers(email).items():
        message[name] = value
    message.set_content(text(email))
    message.add_alternative(html(email), subtype="html")
    if email.attachment:
        kind, _, subtype = email.attachment.media_type.partition("/")
        message.add_attachment(email.attachment.content, maintype=kind, subtype=subtype, filename=email.attachment.name)
    return message


def message_id(email: Email, sender: str) -> str:
    return f"<{email.id}@{sender.rpartition('@')[2]}>"


def extra_headers(email: Email) -> dict[str, str]:
    """What is the same whoever carries it."""
    headers = {"Auto-Submitted": "auto-generated"}
    if email.unsubscribe_url:
        headers["List-Unsubscribe"] = f"<{email.unsubscribe_url}>"
        # RFC 8058: a mail program may post there by itself when its reader presses its own button.
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers


def text(email: Email) -> str:
    if not email.unsubscribe_url:
        return email.body
    return f"{email.body.rstrip()}\n\n-- \nNo more reminders from {_sender(email)}:\n{email.unsubscribe_url}\n"


def html(email: Email) -> str:
    blocks = [block for block in re.split(r"\n\s*\n", email.body.strip()) if block]
    stop = STOP.format(link=escape(email.unsubscribe_url)) if email.unsubscribe_url else ""
    return PAGE.format(
        subject=escape(email.subject),
        sender=escape(_sender(email)),
        preview=escape(_preview(blocks)),
        paragraphs="".join(_paragraph(block, email.action) for block in blocks),
        stop=stop,
    )


def _sender(email: Email) -> str:
    return email.sender_name or "Cairn"


def _preview(blocks: list[str]) -> str:
    """What a mailbox shows beside the subject: the first words that are neither greeting nor key."""
    keys = (_LINK, _CODE)
    words = [" ".join(block.split()) for block in blocks if not any(key.fullmatch(block.strip()) for key in keys)]
    return " ".join(words[1:] or words)[:_PREVIEW_CHARACTERS]


def _paragraph(block: str, action: str | None) -> str:
    only_link = _LINK.fullmatch(block.strip())
    if only_link and action:
        return BUTTON.format(link=escape(only_link[0]), words=escape(action))
    if _CODE.fullmatch(block.strip()):
        return CODE.format(code=block.strip())
    return PARAGRAPH.format(words="<br>".join(_linked(line) for line in block.splitlines()))


def _linked(line: str) -> str:
    """Text between links is escaped piece by piece, so that no markup can hide in it."""
    pieces, at = [], 0
    for link in _LINK.finditer(line):
        pieces += [escape(line[at : link.start()]), LINK.format(link=escape(link[0]))]
        at = link.end()
    return "".join([*pieces, escape(line[at:])])
