"""Decides which emails a suppression stops."""

from typing import Literal
from uuid import UUID

from cairn.kit import frozen_dataclass


@frozen_dataclass
class Scope:
    """`company_id` is set only for the kind `company`.

    Emails for signing in have their own kind: a complaint about any other email must not lock the owner of an account
    out.
    """

    kind: Literal["company", "sign_in", "service"]
    company_id: UUID | None = None


def scope_of(*, company_id: UUID | None, secret: bool) -> Scope:
    """Returns the scope of an email. Of the emails without a company, only those for signing in are secret."""
    if company_id is not None:
        return Scope("company", company_id)
    return Scope("sign_in" if secret else "service")
