"""Every error of this package."""

from cairn.kit import Problem


class DeletionNeedsSignIn(Problem):
    status, code = 401, "deletion_needs_sign_in"
    message = "Please sign in to the account that you want to delete."


class OnlyGuestsDelete(Problem):
    status, code = 403, "only_guests_delete"
    message = "This is for the accounts of guests. The owner of a company deletes it in the settings of the company."


class OnlyOwnersDelete(Problem):
    status, code = 403, "only_owners_delete"
    message = "Only the owner of a company, who created its account, can do this."


class WaiversOnHold(Problem):
    status, code = 409, "waivers_on_hold"
    message = "Waivers on legal hold: {count}. A company with such waivers cannot be deleted. Release each hold first."


class CompanyIsBeingDeleted(Problem):
    status, code = 409, "company_is_being_deleted"
    message = "The waiting period is over, so your company is being deleted now."


class RecentSignInNeeded(Problem):
    status, code = 403, "recent_sign_in_needed"
    message = "Please sign in again, so that we know it is you. Then delete your account within {minutes} minutes."


class TooManyDeletions(Problem):
    status, code = 429, "too_many_deletions"
    message = "You have changed your mind several times today. Please try again in {hours} hours."


class AccountIsBeingDeleted(Problem):
    status, code = 409, "account_is_being_deleted"
    message = "The waiting period is over, so your account is being deleted now."
