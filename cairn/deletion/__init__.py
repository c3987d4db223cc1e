"""Deletes the account of a guest who has requested it, after a waiting period in which the guest can keep it.

`request_deletion` and `keep_account` are called by the guest. The worker calls `delete_due_accounts`. The waivers that
the guest has signed stay, because they belong to the companies.
"""

from cairn.deletion.delete_due_accounts import delete_due_accounts
from cairn.deletion.request import Requester, keep_account, request_deletion
from cairn.deletion.settings import DeletionSettings

__all__ = ["DeletionSettings", "Requester", "delete_due_accounts", "keep_account", "request_deletion"]
