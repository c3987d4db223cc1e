"""Deletes the account of a guest or a company at the request of its owner, after a waiting period.

For a company, the operator can request it too. In the waiting period, the account can still be kept. After it, the
worker calls `delete_due_accounts` and `delete_due_companies`. The waivers that a guest has signed stay, because they
belong to the companies. The waivers of a company are erased with it.
"""

from cairn.deletion.delete_due_accounts import delete_due_accounts
from cairn.deletion.delete_due_companies import delete_due_companies
from cairn.deletion.request import keep_account, request_deletion
from cairn.deletion.request_company import (
    keep_company,
    keep_company_as_operator,
    request_company_deletion,
    schedule_deletion_as_operator,
)
from cairn.deletion.requester import Requester
from cairn.deletion.settings import DeletionSettings

__all__ = [
    "DeletionSettings",
    "Requester",
    "delete_due_accounts",
    "delete_due_companies",
    "keep_account",
    "keep_company",
    "keep_company_as_operator",
    "request_company_deletion",
    "request_deletion",
    "schedule_deletion_as_operator",
]
