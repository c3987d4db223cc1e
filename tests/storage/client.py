"""Someone who speaks to the file service."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx


@dataclass(frozen=True, slots=True)
class StorageClient:
    http: httpx.AsyncClient

    async def request(self, method: str, path: str, *, who: str | None = "service", **more: Any) -> httpx.Response:
        headers = {**({"Authorization": f"Bearer {who}"} if who else {}), **more.pop("headers", {})}
        return await self.http.request(method, path, headers=headers, **more)

    async def ok(self, method: str, path: str, *, who: str | None = "service", **more: Any) -> Any:
        response = await self.request(method, path, who=who, **more)
        assert response.status_code == 200, response.text
        return response.json()

    async def put(
        self, path: str, content: bytes = b"words", *, who: str = "service", **headers: str
    ) -> httpx.Response:
        """As a raw body; keyword arguments are headers."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.request("POST", f"/object/{path}", who=who, content=content, headers=named)

    async def read(self, path: str, *, who: str | None = "service", **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.request("GET", f"/object/{path}", who=who, headers=named)


def error_of(response: httpx.Response) -> tuple[str, str]:
    """The true status and the code; on the outside it is 400."""
    assert response.status_code == 400, response.text
    body = response.json()
    return body["statusCode"], body["code"]


def files_in(folder: Path) -> list[Path]:
    """Everything on the blob_store, drafts included."""
    return sorted(path for path in folder.rglob("*") if path.is_file())
