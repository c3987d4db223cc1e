"""Decides whether an SMTP reply says that the address itself is wrong."""

import re

# The subject and the detail of an enhanced status code (RFC 3463): there is no such mailbox or domain, the mailbox has
# moved, or it is disabled. All others concern the sender, the content, a limit or the server. Among them are a full
# mailbox (2.2) and a refusal by policy (7.1), after which the next email may arrive.
_ADDRESS_IS_WRONG = frozenset({(1, 0), (1, 1), (1, 2), (1, 3), (1, 6), (1, 10), (2, 1)})
_ENHANCED_CODE = re.compile(r"\s*5\.(\d{1,3})\.(\d{1,3})\b")
# Without an enhanced code: unknown mailbox, moved mailbox, invalid address (RFC 5321).
_MAILBOX_CODES = frozenset({550, 551, 553})


def rejects_address(code: int, text: str, *, is_about_recipient: bool) -> bool:
    """`is_about_recipient` says that the server replied to the command that names the recipient.

    Replies to other commands concern the sender or the content, unless an enhanced code says otherwise. A sender could
    otherwise suppress any address by sending it spam.
    """
    if code < 500:
        return False
    enhanced_code = _ENHANCED_CODE.match(text)
    if enhanced_code is not None:
        subject, detail = enhanced_code.groups()
        return (int(subject), int(detail)) in _ADDRESS_IS_WRONG
    return is_about_recipient and code in _MAILBOX_CODES
