"""Sends requests about second factors as supabase-js does."""

from typing import Any

import httpx
import pyotp

from cairn.kit import frozen_dataclass, now
from tests.auth.visitor import Visitor, bearer, json_of

Session = dict[str, Any]


@frozen_dataclass
class MfaClient:
    visitor: Visitor
    session: Session

    async def enrol(self, kind: str = "totp", **fields: Any) -> httpx.Response:
        return await self._post("/factors", {"factor_type": kind, **fields})

    async def challenge(self, factor_id: str) -> httpx.Response:
        return await self._post(f"/factors/{factor_id}/challenge", {"factorId": factor_id})

    async def verify(self, factor_id: str, **proof: Any) -> httpx.Response:
        return await self._post(f"/factors/{factor_id}/verify", proof)

    async def try_code(self, factor_id: str, code: str) -> httpx.Response:
        challenge = json_of(await self.challenge(factor_id))
        return await self.verify(factor_id, challenge_id=challenge["id"], code=code)

    async def remove(self, factor_id: str) -> httpx.Response:
        return await self.visitor.client.delete(f"/factors/{factor_id}", headers=bearer(self.session))

    async def recovery_codes(self) -> httpx.Response:
        return await self._post("/factors/recovery_codes", {})

    async def recover(self, code: str) -> httpx.Response:
        return await self._post("/factors/recovery_codes/verify", {"code": code})

    async def _post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return await self.visitor.client.post(path, json=body, headers=bearer(self.session))


def current_code(factor: dict[str, Any], steps: int = 0) -> str:
    """Returns the code that the authenticator app shows now, or `steps` times 30 seconds later."""
    return pyotp.TOTP(factor["totp"]["secret"]).at(now(), steps)


def next_code(factor: dict[str, Any]) -> str:
    """Returns a code that still works after the current one was used, because the server accepts the next step."""
    return current_code(factor, 1)


async def enrol_app(visitor: Visitor, session: Session, name: str = "app") -> tuple[MfaClient, dict[str, Any]]:
    """Enrols and verifies an authenticator app. Returns a client with the session at aal2, and the factor."""
    factor = json_of(await MfaClient(visitor, session).enrol(friendly_name=name))
    aal2_session = json_of(await MfaClient(visitor, session).try_code(factor["id"], current_code(factor)))
    return MfaClient(visitor, aal2_session), factor
