"""Requests about second factors, as supabase-js sends them."""

from dataclasses import dataclass
from typing import Any

import httpx
import pyotp

from cairn.kit import now
from tests.auth.visitor import Visitor, bearer, json_of

Session = dict[str, Any]


@dataclass(frozen=True, slots=True)
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


def current_code(enrolled: dict[str, Any], steps: int = 0) -> str:
    """The code that the authenticator app shows now, or some steps of 30 seconds away."""
    return pyotp.TOTP(enrolled["totp"]["secret"]).at(now(), steps)


def next_code(enrolled: dict[str, Any]) -> str:
    """A code that is accepted although the current one was just used: the server tolerates a clock one step ahead."""
    return current_code(enrolled, 1)


async def enrol_app(visitor: Visitor, session: Session, name: str = "app") -> tuple[MfaClient, dict[str, Any]]:
    """Enrols and verifies an authenticator app. The client returned has the session that this raised to aal2."""
    enrolled = json_of(await MfaClient(visitor, session).enrol(friendly_name=name))
    raised = json_of(await MfaClient(visitor, session).try_code(enrolled["id"], current_code(enrolled)))
    return MfaClient(visitor, raised), enrolled
