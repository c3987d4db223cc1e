"""A client of the storage API."""

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
        self, path: str, content: bytes = b"bytes", *, who: str = "service", **headers: str
    ) -> httpx.Response:
        """Uploads a raw body; keyword arguments become headers."""
        renamed = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.request("POST", f"/object/{path}", who=who, content=content, headers=renamed)

    async def read(self, path: str, *, who: str | None = "service", **headers: str) -> httpx.Response:
        renamed = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.request("GET", f"/object/{path}", who=who, headers=renamed)


def error_of(response: httpx.Response) -> tuple[str, str]:
    """The status and code in the body; the HTTP status is always 400."""
    assert response.status_code == 400, response.text
    body = response.json()
    return body["statusCode"], body["code"]


def files_in(folder: Path) -> list[Path]:
    """All files in the blob store, including drafts."""
    return sorted(path for path in folder.rglob("*") if path.is_file())
