"""The caller of a transaction, as row-level security sees it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

ROLES = frozenset({"anon", "authenticated", "service_role"})
_AUTHENTICATED_BY_ID = "authenticated_by_id"


@dataclass(frozen=True, slots=True)
class Principal:
    """A database role and the token claims that row-level security reads."""

    role: str
    claims: Mapping[str, Any] = field(default_factory=dict)
    claims_json: str = field(init=False, repr=False, compare=False)
    """Encoded once: principals are cached by token, and every request of the same caller sends these claims."""

    def __post_init__(self) -> None:
        # The role is written into SQL as an identifier, so only the known names are accepted.
        if self.role not in ROLES:
            raise ValueError(f"no such database role: {self.role!r}")
        object.__setattr__(self, "claims_json", json.dumps(dict(self.claims), separators=(",", ":")))

    @property
    def user_id(self) -> UUID | None:
        subject = self.claims.get("sub")
        return UUID(subject) if subject else None

    def database_role(self, *, by_id: bool) -> str:
        """`by_id`: the request names the exact id of the row it wants.

        Only then the policies that show a row to anyone who knows its id apply to an authenticated caller. They belong
        to a role of their own, because PostgreSQL would otherwise add them to the query plan of every list.
        """
        return _AUTHENTICATED_BY_ID if by_id and self.role == "authenticated" else self.role


ANON = Principal("anon", {"role": "anon"})
SERVICE = Principal("service_role", {"role": "service_role"})
