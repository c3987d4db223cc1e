from pydantic import BaseModel, PositiveInt

from cairn.kit import frozen_dataclass


@frozen_dataclass
class DailyQuota:
    """How many emails to guests may be sent in a day: by one company, and from one IP network.

    The companies with a plan share one quota per network, and the companies without a plan share another.
    """

    has_plan: bool
    per_company: int
    per_network: int


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
    # Emails of all companies with a confirmed address, to one address. Companies with a plan and those without one are
    # counted separately, with the same limit. So are messages and copies of signed documents.
    per_recipient_of_all_companies: PositiveInt = 30
    # Copies of signed documents of one company with a plan.
    copies_per_day: PositiveInt = 10_000
    # Copies of signed documents of one company without a plan.
    copies_per_day_without_plan: PositiveInt = 1000
    # Copies that signers request, from one IP network.
    requested_copies_per_network: PositiveInt = 300
    # Invitations that guests send to the adults whom they have added to a waiver, each with its own link, from one IP
    # network. Text messages are included.
    invitations_per_network: PositiveInt = 50
    # All companies with a confirmed address and a plan together, from one IP network. A reminder counts for the network
    # in which its session was opened. Copies of signed documents are counted separately, with the same limit, for the
    # network in which the document was signed.
    per_network: PositiveInt = 10_000
    # The same for all companies without a plan. It is lower, because anyone can create any number of such companies.
    per_network_without_plan: PositiveInt = 600

    def message_quota(self, *, has_plan: bool) -> DailyQuota:
        """Returns the quota of messages and reminders."""
        return self._quota(has_plan, self.per_day if has_plan else self.per_day_without_plan)

    def copy_quota(self, *, has_plan: bool) -> DailyQuota:
        """Returns the quota of copies of signed documents."""
        return self._quota(has_plan, self.copies_per_day if has_plan else self.copies_per_day_without_plan)

    def _quota(self, has_plan: bool, per_company: int) -> DailyQuota:
        per_network = self.per_network if has_plan else self.per_network_without_plan
        return DailyQuota(has_plan=has_plan, per_company=per_company, per_network=per_network)
