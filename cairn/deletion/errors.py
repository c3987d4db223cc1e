"""Every error of this package."""

from cairn.kit import Problem


class DeletionNeedsSignIn(Problem):
    status, code, message = 401, "deletion_needs_sign_in", "Please sign in to the account that you want to delete."


class OnlyGuestsDelete(Problem):
    status, code = 403, "only_guests_delete"
    message = "The account of a company cannot be deleted here yet. Please write to us, and we delete it with you."


class RecentSignInNeeded(Problem):
    status, code = 403, "recent_sign_in_needed"
    message = "Please sign in again, so that we know it is you. Then delete your account within {minutes} minutes."


class TooManyDeletions(Problem):
    status, code = 429, "too_many_deletions"
    message = "You have changed your mind several times today. Please try again in {hours} hours."


class AccountIsBeingDeleted(Problem):
    status, code = 409, "account_is_being_deleted"
    message = "The waiting period is over, so your account is being deleted now."
