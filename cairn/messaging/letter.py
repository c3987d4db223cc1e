"""How a mail looks: the same words as plain text and as html. Whatever people typed stays text."""

import re
from email.message import EmailMessage
from email.utils import formataddr
from html import escape

from cairn.messaging.email import Email

_LINK = re.compile(r"https?://[^\s<>\"]+")

_PAGE = """\
<!doctype html>
<html lang="en">
<body style="margin:0;padding:24px 12px;background:#f5f3ef;color:#23211d;\
font:16px/1.6 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" \
style="max-width:560px;background:#ffffff;border:1px solid #e3dfd7;border-radius:12px">
<tr><td style="padding:28px 28px 8px;font-weight:600;color:#1f5138">{sender}</td></tr>
<tr><td style="padding:0 28px 24px">{paragraphs}</td></tr>
</table>
<p style="margin:16px 0 0;font-size:13px;color:#6b665c">Sent with Cairn</p>
</td></tr></table>
</body>
</html>
"""
_BUTTON = (
    '<p style="margin:24px 0"><a href="{link}" style="display:inline-block;padding:12px 22px;border-radius:10px;'
    'background:#1f5138;color:#ffffff;text-decoration:none;font-weight:600">{words}</a></p>'
    '<p style="font-size:13px;color:#6b665c;word-break:break-all">{link}</p>'
)


def mime(email: Email, sender: str) -> EmailMessage:
    """A whole message. Its id is made from the mail's, so that a mail sent twice can be known as one."""
    message = EmailMessage()
    message["From"] = formataddr((email.sender_name or "Cairn", sender))
    message["To"] = email.recipient
    message["Subject"] = email.subject
    message["Message-ID"] = message_id(email, sender)
    message["Auto-Submitted"] = "auto-generated"
    if email.reply_to:
        message["Reply-To"] = email.reply_to
    message.set_content(email.body)
    message.add_alternative(html(email), subtype="html")
    if email.attachment:
        kind, _, subtype = email.attachment.media_type.partition("/")
        message.add_attachment(email.attachment.content, maintype=kind, subtype=subtype, filename=email.attachment.name)
    return message


def message_id(email: Email, sender: str) -> str:
    return f"<{email.id}@{sender.rpartition('@')[2]}>"


def html(email: Email) -> str:
    paragraphs = [_paragraph(block, email.action) for block in re.split(r"\n\s*\n", email.body.strip()) if block]
    return _PAGE.format(sender=escape(email.sender_name or "Cairn"), paragraphs="".join(paragraphs))


def _paragraph(block: str, action: str | None) -> str:
    only_link = _LINK.fullmatch(block.strip())
    if only_link and action:
        return _BUTTON.format(link=escape(only_link[0]), words=escape(action))
    lines = "<br>".join(_linked(line) for line in block.splitlines())
    return f'<p style="margin:16px 0">{lines}</p>'


def _linked(line: str) -> str:
    """Text between links is escaped piece by piece, so that no markup can hide in it."""
    pieces, at = [], 0
    for link in _LINK.finditer(line):
        pieces += [escape(line[at : link.start()]), f'<a href="{escape(link[0])}">{escape(link[0])}</a>']
        at = link.end()
    return "".join([*pieces, escape(line[at:])])
