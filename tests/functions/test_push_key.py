import httpx

from tests.functions.conftest import PUSH_KEY


async def test_everybody_learns_the_key_of_the_house(client: httpx.AsyncClient) -> None:
    answer = await client.get("/push-key", headers={"Authorization": "Bearer rosa"})

    assert answer.json() == {"key": PUSH_KEY}
