from typing import Literal
from uuid import UUID

from cairn.kit import frozen_dataclass

FactorKind = Literal["totp", "phone", "webauthn"]


@frozen_dataclass
class SecondFactor:
    """What `Factor` and `StoredFactor` have in common."""

    id: UUID
    user_id: UUID
    factor_type: FactorKind
    status: str
    phone: str | None

    @property
    def is_verified(self) -> bool:
        return self.status == "verified"
