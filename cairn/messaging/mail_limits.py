from pydantic import BaseModel, PositiveInt


class MailLimits(BaseModel, frozen=True):
    """How many emails to guests are sent per day. A day is a calendar day in UTC."""

    # One company, until one of its people has confirmed an email address. The same number of signed copies is mailed.
    unconfirmed_per_day: PositiveInt = 5
    # All companies without a confirmed address in one network together, and to one recipient together.
    unconfirmed_per_network: PositiveInt = 20
    unconfirmed_per_recipient: PositiveInt = 5
    # One company with a plan, and one without, for example in its trial.
    per_day: PositiveInt = 10_000
    per_day_without_plan: PositiveInt = 300
    # Messages and reminders from one company to one address, and copies of signed documents.
    per_recipient: PositiveInt = 5
    copies_per_recipient: PositiveInt = 10
    copies_per_day: PositiveInt = 10_000
    # Copies that signers request from one network.
    requested_copies_per_network: PositiveInt = 300
    # All companies that send from one network.
    per_network: PositiveInt = 10_000
