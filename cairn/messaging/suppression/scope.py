"""Decides which emails a suppression stops."""

from typing import Literal
from uuid import UUID

from cairn.kit import frozen_dataclass


@frozen_dataclass
class Scope:
    """A suppression stops only emails of the same scope.

    `company` are the emails of one company, which `company_id` names. `sign_in` are the emails of Cairn for signing in,
    and `service` are all other emails of Cairn. A complaint about an email of another scope must not keep the owner of
    an account from signing in.
    """

    kind: Literal["company", "sign_in", "service"]
    company_id: UUID | None = None


def scope_of(*, company_id: UUID | None, has_secret: bool) -> Scope:
    """Returns the scope of an email. `has_secret` says that it contains a link or code for signing in."""
    if company_id is not None:
        return Scope("company", company_id)
    return Scope("sign_in" if has_secret else "service")
