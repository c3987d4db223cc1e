"""Calls the HTTP API."""

from typing import Any

import httpx

from cairn.kit import Problem


class ApiCallFailed(Problem):
    status, code = 500, "demo_failed"
    message = "The sample data could not be created: {path} returned {status}: {body}"


class ApiClient:
    """Acts as an administrator, as the sample company or, without a token, as a guest with a link."""

    def __init__(self, client: httpx.AsyncClient, token: str | None = None) -> None:
        self._client = client
        self._token = token

    def signed_in(self, session: dict[str, Any]) -> "ApiClient":
        return ApiClient(self._client, session["access_token"])

    def guest(self) -> "ApiClient":
        return ApiClient(self._client)

    async def get(self, path: str) -> Any:
        return await self._request("GET", path)

    async def post(self, path: str, body: object) -> Any:
        return await self._request("POST", path, body)

    async def patch(self, path: str, body: object) -> Any:
        return await self._request("PATCH", path, body)

    async def put(self, path: str, body: object) -> Any:
        return await self._request("PUT", path, body)

    async def _request(self, method: str, path: str, body: object = None) -> Any:
        headers = {"Prefer": "return=representation"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        response = await self._client.request(method, path, json=body, headers=headers)
        if not response.is_success:
            raise ApiCallFailed(path=path, status=response.status_code, body=response.text[:300])
        return response.json() if response.content else None
