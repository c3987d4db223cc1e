"""The client of the product, as its pages go through them."""

from typing import Any

import httpx

from cairn.kit import Problem


class ApiCallFailed(Problem):
    status, code = 500, "demo_failed"
    message = "The sample data could not be written: {path} answered {status}: {words}"


class ApiClient:
    """Somebody at the product: an administrator, the sample company or, without a token, a guest with a link."""

    def __init__(self, client: httpx.AsyncClient, token: str | None = None) -> None:
        self._client = client
        self._token = token

    def signed_in(self, session: dict[str, Any]) -> "ApiClient":
        return ApiClient(self._client, session["access_token"])

    def guest(self) -> "ApiClient":
        return ApiClient(self._client)

    async def get(self, path: str) -> Any:
        return await self._ask("GET", path)

    async def post(self, path: str, body: object) -> Any:
        return await self._ask("POST", path, body)

    async def patch(self, path: str, body: object) -> Any:
        return await self._ask("PATCH", path, body)

    async def put(self, path: str, body: object) -> Any:
        return await self._ask("PUT", path, body)

    async def _ask(self, method: str, path: str, body: object = None) -> Any:
        headers = {"Prefer": "return=representation"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        answer = await self._client.request(method, path, json=body, headers=headers)
        if not answer.is_success:
            raise ApiCallFailed(path=path, status=answer.status_code, words=answer.text[:300])
        return answer.json() if answer.content else None
