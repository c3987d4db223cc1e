import httpx

from tests.functions_service import PUSH_KEY


async def test_the_public_push_key_is_returned(client: httpx.AsyncClient) -> None:
    response = await client.get("/push-key", headers={"Authorization": "Bearer rosa"})

    assert response.json() == {"key": PUSH_KEY}
