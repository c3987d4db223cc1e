"""Keeps emails in the local mailbox if no mail server is configured.

The mailbox is the table of emails. The email is already in it, so there is nothing to do.
"""

from cairn.messaging.email import Email, Receipt


class MailboxMailer:
    async def send(self, email: Email) -> Receipt:
        return Receipt("kept", str(email.id))
