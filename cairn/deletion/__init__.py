"""Deletes the account of a guest or a company after a waiting period, at the request of its owner or the operator.

In the waiting period, the account can still be kept. Owners and the operator call the functions that request a
deletion, and the worker calls `delete_due_accounts` and `delete_due_companies`. The waivers that a guest has signed
stay, because they belong to the companies. The waivers of a company are erased with it.
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
