"""Defines the principal: the caller of a transaction, as row-level security sees it."""

import json
from collections.abc import Mapping
from copy import copy
from dataclasses import field
from typing import Any
from uuid import UUID

from cairn.kit import frozen_dataclass

ROLES = frozenset({"anon", "authenticated", "service_role"})
_AUTHENTICATED_BY_ID = "authenticated_by_id"
_CLAIMS_READ_IN_PYTHON = ("sub", "role", "session_id", "aal", "amr", "exp", "nbf", "iat")


@frozen_dataclass
class Principal:
    """A database role and the token claims that row-level security reads."""

    role: str
    claims: Mapping[str, Any] = field(default_factory=dict)
    claims_json: str = field(init=False, repr=False)
    """The claims as JSON. Principals are cached by token, so the claims of a token are encoded only once."""

    def __post_init__(self) -> None:
        # The role is written into SQL as an identifier, so only the known names are accepted.
        if self.role not in ROLES:
            raise ValueError(f"no such database role: {self.role!r}")
        object.__setattr__(self, "claims_json", json.dumps(dict(self.claims), separators=(",", ":")))

    def compact(self) -> "Principal":
        """Returns the same principal with only those parsed claims that Python reads. `claims_json` keeps all of them.

        Users choose their metadata, and lists inside lists need forty times as much memory as their text.
        """
        compacted = copy(self)
        claims = {name: self.claims[name] for name in _CLAIMS_READ_IN_PYTHON if name in self.claims}
        object.__setattr__(compacted, "claims", claims)
        return compacted

    @property
    def user_id(self) -> UUID | None:
        subject = self.claims.get("sub")
        return UUID(subject) if subject else None

    def database_role(self, *, by_id: bool) -> str:
        """Returns the role to switch to. `by_id` means that the request filters by the exact id of a row.

        Some policies show a row to every signed-in user who knows its id. They belong to a separate role, which only
        requests by id use, because PostgreSQL would otherwise add them to the query plan of every list.
        """
        return _AUTHENTICATED_BY_ID if by_id and self.role == "authenticated" else self.role


ANON = Principal("anon", {"role": "anon"})
SERVICE = Principal("service_role", {"role": "service_role"})
