from pydantic import BaseModel, PositiveInt


class MailLimits(BaseModel, frozen=True):
    """How many emails to guests are sent in a day.

    The limits whose names contain `per_day` are for one company and count from midnight UTC. The others are
    refilled continuously, in 24 hours.
    """

    # One company, until one of its people has confirmed an email address. The emails with copies of signed documents
    # are counted separately, with the same limit.
    unconfirmed_per_day: PositiveInt = 5
    # All companies without a confirmed address together, from one IP network. Emails with copies of signed samples,
    # which belong to no company, are included. A copy counts for the network from which the document was signed.
    unconfirmed_per_network: PositiveInt = 20
    # The same emails, to one recipient.
    unconfirmed_per_recipient: PositiveInt = 5
    # One company with a plan.
    per_day: PositiveInt = 10_000
    # One company without a plan, for example during its trial.
    per_day_without_plan: PositiveInt = 300
    # Emails of one company to one address, without copies of signed documents.
    per_recipient: PositiveInt = 5
    # Copies of signed documents of one company, to one address.
    copies_per_recipient: PositiveInt = 10
    # Copies of signed documents of one company with a plan.
    copies_per_day: PositiveInt = 10_000
    # Copies of signed documents of one company without a plan.
    copies_per_day_without_plan: PositiveInt = 1000
    # Copies that signers request, from one IP network.
    requested_copies_per_network: PositiveInt = 300
    # All companies with a confirmed address together, from one IP network.
    per_network: PositiveInt = 10_000
