from pydantic import BaseModel, PositiveInt


class MailLimits(BaseModel, frozen=True):
    """How many emails to guests are sent per day. A day is a calendar day in UTC."""

    # Emails of one company until one of its people has confirmed an email address. Copies of signed documents are
    # counted separately, with the same limit.
    unconfirmed_per_day: PositiveInt = 5
    # Emails of all companies without a confirmed address together: from one network, and to one recipient. Copies of
    # samples without a company count as well. The network of a copy is that of the signer.
    unconfirmed_per_network: PositiveInt = 20
    unconfirmed_per_recipient: PositiveInt = 5
    # Emails of one company with a plan, and of one company without a plan, for example during its trial.
    per_day: PositiveInt = 10_000
    per_day_without_plan: PositiveInt = 300
    # Messages and reminders from one company to one address.
    per_recipient: PositiveInt = 5
    # Copies of signed documents: from one company to one address, of one company with a plan, and of one without.
    copies_per_recipient: PositiveInt = 10
    copies_per_day: PositiveInt = 10_000
    copies_per_day_without_plan: PositiveInt = 1000
    # Copies that signers request from one network.
    requested_copies_per_network: PositiveInt = 300
    # Emails of all companies with a confirmed address that send from one network.
    per_network: PositiveInt = 10_000
