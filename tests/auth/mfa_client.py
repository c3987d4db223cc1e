"""What a person does with a second factor, in the words of the real client."""

from dataclasses import dataclass
from typing import Any

import httpx
import pyotp

from cairn.kit import now
from tests.auth.visitor import Visitor, bearer, session_of

Session = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Hand:
    """Holds a session and works on its factors."""

    visitor: Visitor
    session: Session

    async def enrol(self, kind: str = "totp", **wish: Any) -> httpx.Response:
        return await self._post("/factors", {"factor_type": kind, **wish})

    async def challenge(self, factor_id: str) -> httpx.Response:
        return await self._post(f"/factors/{factor_id}/challenge", {"factorId": factor_id})

    async def verify(self, factor_id: str, **answer: Any) -> httpx.Response:
        return await self._post(f"/factors/{factor_id}/verify", answer)

    async def try_code(self, factor_id: str, code: str) -> httpx.Response:
        question = session_of(await self.challenge(factor_id))
        return await self.verify(factor_id, challenge_id=question["id"], code=code)

    async def remove(self, factor_id: str) -> httpx.Response:
        return await self.visitor.client.delete(f"/factors/{factor_id}", headers=bearer(self.session))

    async def recovery_codes(self) -> httpx.Response:
        return await self._post("/factors/recovery_codes", {})

    async def recover(self, code: str) -> httpx.Response:
        return await self._post("/factors/recovery_codes/verify", {"code": code})

    async def _post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return await self.visitor.client.post(path, json=body, headers=bearer(self.session))


def code_of(enrolled: dict[str, Any], steps: int = 0) -> str:
    """What the authenticator app shows, now or some half minutes off."""
    return pyotp.TOTP(enrolled["totp"]["secret"]).at(now(), steps)


def next_code_of(enrolled: dict[str, Any]) -> str:
    """For an app that was used this very half minute: a clock may run ahead, and no code is accepted twice."""
    return code_of(enrolled, 1)


async def with_app(visitor: Visitor, session: Session, name: str = "app") -> tuple[Hand, dict[str, Any]]:
    """A person with a proven authenticator app, and the session that was raised by proving it."""
    enrolled = session_of(await Hand(visitor, session).enrol(friendly_name=name))
    raised = session_of(await Hand(visitor, session).try_code(enrolled["id"], code_of(enrolled)))
    return Hand(visitor, raised), enrolled
