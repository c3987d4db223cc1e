"""The directory's search: any part of a name, an address or a template, newest first, and only one's own."""

from collections.abc import Callable

from cairn.db import Database
from tests.cast import Person
from tests.make import SAMPLE, make_session, make_template, sign
from tests.rest.conftest import Client

Headers = Callable[[Person], dict[str, str]]
SESSIONS = "/rpc/search_waiver_sessions?select=recipient_name"
SIGNED = "/rpc/search_signed_waivers?select=signer_name"


async def found(client: Client, headers: dict[str, str], term: str, address: str = SESSIONS) -> list[str]:
    answer = await client.post(address, json={"term": term}, headers=headers)
    assert answer.status_code == 200, answer.text
    return [next(iter(row.values())) for row in answer.json()]


async def test_any_part_of_a_name_an_address_or_a_template_will_do(
    client: Client, database: Database, rosa: Person, calling: Headers
) -> None:
    night = await make_template(database, rosa, name="Night ride")
    await make_session(database, rosa, SAMPLE, name="Ana Ćosić", email="ana@example.com")
    await make_session(database, rosa, night, name="Bo Lindqvist", email="bo@mountains.example")

    for term in ("lindq", "LINDQVIST", "mountains", "night r", "bo@", "  Bo "):
        assert await found(client, calling(rosa), term) == ["Bo Lindqvist"], term
    for term in ("ćos", "Ć", "a@ex", "Liability"):
        assert await found(client, calling(rosa), term) == ["Ana Ćosić"], term
    assert await found(client, calling(rosa), "") == ["Bo Lindqvist", "Ana Ćosić"]
    for term in ("%", "_", "Bo\nbo@", "nobody"):
        assert await found(client, calling(rosa), term) == [], term


async def test_the_signed_ones_are_searched_the_same_way(
    client: Client, database: Database, rosa: Person, calling: Headers
) -> None:
    for name in ("Ana", "Bo Lindqvist"):
        await sign(database, await make_session(database, rosa, name="somebody else"), name=name)

    assert await found(client, calling(rosa), "lindq", SIGNED) == ["Bo Lindqvist"]
    assert await found(client, calling(rosa), "an", SIGNED) == ["Ana"]


async def test_nobody_else_finds_anything(
    client: Client, database: Database, rosa: Person, bea: Person, mallory: Person, gil: Person, calling: Headers
) -> None:
    await sign(database, await make_session(database, rosa))

    for address in (SESSIONS, SIGNED):
        assert await found(client, calling(bea), "gil", address) == ["Gil Okafor"]
        assert await found(client, calling(mallory), "gil", address) == []
        assert await found(client, calling(gil), "gil", address) == []
        stranger = await client.post(address, json={"term": "gil"})
        assert (stranger.status_code, stranger.json()["code"]) == (401, "42501")


async def test_pages_follow_each_other(client: Client, database: Database, rosa: Person, calling: Headers) -> None:
    for number in range(5):
        await make_session(database, rosa, name=f"Guest {number}")
    page: dict[str, object] = {"term": "guest", "up_to": 2}
    address = "/rpc/search_waiver_sessions?select=recipient_name,created_at"
    seen: list[str] = []

    while rows := (await client.post(address, json=page, headers=calling(rosa))).json():
        seen += [row["recipient_name"] for row in rows]
        page["before"] = rows[-1]["created_at"]

    assert seen == [f"Guest {number}" for number in (4, 3, 2, 1, 0)]


async def test_what_is_found_can_be_filtered_and_shaped_like_any_list(
    client: Client, database: Database, rosa: Person, calling: Headers
) -> None:
    await sign(database, await make_session(database, rosa, name="Gil"))
    await make_session(database, rosa, name="Gilda")

    answer = await client.post(
        "/rpc/search_waiver_sessions?select=recipient_name,signed_waivers(signer_name)&status=eq.signed",
        json={"term": "gil"},
        headers=calling(rosa),
    )

    assert answer.json() == [{"recipient_name": "Gil", "signed_waivers": [{"signer_name": "Gil Okafor"}]}]
