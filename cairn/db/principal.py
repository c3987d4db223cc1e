"""Who is calling, as Postgres will see it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

ROLES = frozenset({"anon", "authenticated", "service_role"})
ASKING = "authenticated_asking"
"""An authenticated caller who names the exact id of what they ask for."""


@dataclass(frozen=True, slots=True)
class Principal:
    """A database role and the token claims that row-level security reads."""

    role: str
    claims: Mapping[str, Any] = field(default_factory=dict)
    claims_json: str = field(init=False, repr=False, compare=False)
    """Written once: a token is remembered, and every request of its holder brings these along."""

    def __post_init__(self) -> None:
        # The role is written into SQL, so it is one of three words or there is no principal.
        if self.role not in ROLES:
            raise ValueError(f"no such database role: {self.role!r}")
        object.__setattr__(self, "claims_json", json.dumps(dict(self.claims), separators=(",", ":")))

    @property
    def user_id(self) -> UUID | None:
        subject = self.claims.get("sub")
        return UUID(subject) if subject else None


ANON = Principal("anon", {"role": "anon"})
SERVICE = Principal("service_role", {"role": "service_role"})
