"""Renders an email as a MIME message, as plain text and as HTML. Text typed by users never becomes markup."""

import re
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formataddr
from html import escape

from cairn.messaging.email import Email
from cairn.messaging.email_layout import BUTTON, CODE, LINK, PAGE, PARAGRAPH, UNSUBSCRIBE
from cairn.messaging.without_links import without_encoded_text, without_links
from cairn.translations import text

_LINK_PATTERN = re.compile(r"https?://[^\s<>\"]+")
_CODE_PATTERN = re.compile(r"\d{6,10}")
_PREVIEW_CHARACTERS = 110
_SENT_WITH = text("Sent with Cairn")
_UNSUBSCRIBE = text("Stop reminders")
_UNSUBSCRIBE_FROM = text("Stop reminders from {sender}:")


def mime_message(email: Email, sender: str) -> EmailMessage:
    """Builds the message. Its Message-ID is derived from the email's id, so that mail programs detect a duplicate."""
    message = EmailMessage()
    message["From"] = formataddr((email.from_name, sender))
    message["To"] = _address(email.recipient)
    message["Subject"] = without_encoded_text(email.subject)
    message["Message-ID"] = message_id(email, sender)
    if email.reply_to:
        message["Reply-To"] = _address(email.reply_to)
    for name, value in extra_headers(email).items():
        message[name] = value
    message.set_content(plain_text(email))
    message.add_alternative(html(email), subtype="html")
    if email.attachment:
        kind, _, subtype = email.attachment.media_type.partition("/")
        message.add_attachment(email.attachment.content, maintype=kind, subtype=subtype, filename=email.attachment.name)
    return message


def _address(address: str) -> Address:
    """Returns the address for a header. A text in its place would be parsed, and could contain several addresses."""
    mailbox, _, domain = address.rpartition("@")
    return Address(username=mailbox, domain=domain)


def message_id(email: Email, sender: str) -> str:
    return f"<{email.id}@{sender.rpartition('@')[2]}>"


def extra_headers(email: Email) -> dict[str, str]:
    """Returns the headers that are the same for every provider."""
    headers = {"Auto-Submitted": "auto-generated"}
    if email.unsubscribe_url:
        headers["List-Unsubscribe"] = f"<{email.unsubscribe_url}>"
        # RFC 8058: mail programs may then offer their own unsubscribe button, which sends a POST to this URL.
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers


def plain_text(email: Email) -> str:
    if not email.unsubscribe_url:
        return email.body
    unsubscribe = _UNSUBSCRIBE_FROM.format(sender=without_links(email.from_name))
    return f"{email.body.rstrip()}\n\n-- \n{unsubscribe}\n{email.unsubscribe_url}\n"


def html(email: Email) -> str:
    blocks = [block for block in re.split(r"\n\s*\n", email.body.strip()) if block]
    unsubscribe = ""
    if email.unsubscribe_url:
        unsubscribe = UNSUBSCRIBE.format(link=escape(email.unsubscribe_url), text=_UNSUBSCRIBE.html())
    return PAGE.format(
        subject=escape(email.subject),
        sender=escape(without_links(email.from_name)),
        preview=escape(_preview(blocks)),
        paragraphs="".join(_paragraph(block, email.action) for block in blocks),
        sent_with=_SENT_WITH.html(),
        unsubscribe=unsubscribe,
    )


def _preview(blocks: list[str]) -> str:
    """Returns what mail programs show next to the subject: the text after the greeting, without links and codes."""
    texts = [" ".join(block.split()) for block in blocks if not _is_link_or_code(block.strip())]
    return " ".join(texts[1:] or texts)[:_PREVIEW_CHARACTERS]


def _is_link_or_code(text: str) -> bool:
    return bool(_LINK_PATTERN.fullmatch(text) or _CODE_PATTERN.fullmatch(text))


def _paragraph(block: str, action: str | None) -> str:
    link = _LINK_PATTERN.fullmatch(block.strip())
    if link and action:
        return BUTTON.format(link=escape(link[0]), text=escape(action))
    if _CODE_PATTERN.fullmatch(block.strip()):
        return CODE.format(code=block.strip())
    return PARAGRAPH.format(text="<br>".join(_with_links(line) for line in block.splitlines()))


def _with_links(line: str) -> str:
    """Escapes links and the text between them separately, so that users cannot insert markup."""
    pieces, position = [], 0
    for link in _LINK_PATTERN.finditer(line):
        pieces += [escape(line[position : link.start()]), LINK.format(link=escape(link[0]))]
        position = link.end()
    return "".join([*pieces, escape(line[position:])])
