"""Calls the storage API. `who` is the name of the caller, which the tests use as the token."""

from pathlib import Path
from typing import Any

import httpx

from cairn.kit import frozen_dataclass


@frozen_dataclass
class StorageClient:
    http: httpx.AsyncClient

    async def request(self, method: str, path: str, *, who: str | None = "service", **options: Any) -> httpx.Response:
        headers = {**({"Authorization": f"Bearer {who}"} if who else {}), **options.pop("headers", {})}
        return await self.http.request(method, path, headers=headers, **options)

    async def fetch(self, method: str, path: str, *, who: str | None = "service", **options: Any) -> Any:
        """Returns the JSON of a successful response."""
        response = await self.request(method, path, who=who, **options)
        assert response.status_code == 200, response.text
        return response.json()

    async def put(
        self, path: str, content: bytes = b"bytes", *, who: str = "service", **headers: str
    ) -> httpx.Response:
        """Uploads a raw body. Keyword arguments become headers."""
        header_fields = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.request("POST", f"/object/{path}", who=who, content=content, headers=header_fields)

    async def read(self, path: str, *, who: str | None = "service", **headers: str) -> httpx.Response:
        header_fields = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.request("GET", f"/object/{path}", who=who, headers=header_fields)


def error_of(response: httpx.Response) -> tuple[str, str]:
    """Returns the status and code in the body of an error. Its HTTP status is 400, as it is for most storage errors."""
    assert response.status_code == 400, response.text
    body = response.json()
    return body["statusCode"], body["code"]


def files_in(folder: Path) -> list[Path]:
    """Returns all files below the folder of a blob store, including those that are only partly written."""
    return sorted(path for path in folder.rglob("*") if path.is_file())
