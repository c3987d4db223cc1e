"""Decides which emails a suppression stops."""

from typing import Literal
from uuid import UUID

from cairn.kit import frozen_dataclass


@frozen_dataclass
class Scope:
    """`company` stands for the emails of one company, and `service` for all other emails of Cairn itself.

    Emails for signing in have their own kind: a complaint about any other email must not lock the owner of an account
    out. `company_id` is set only for the kind `company`.
    """

    kind: Literal["company", "sign_in", "service"]
    company_id: UUID | None = None


def scope_of(*, company_id: UUID | None, has_secret: bool) -> Scope:
    """Returns the scope of an email. `has_secret` says that it contains a link or code for signing in."""
    if company_id is not None:
        return Scope("company", company_id)
    return Scope("sign_in" if has_secret else "service")
