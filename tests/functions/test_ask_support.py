import asyncpg
import httpx
import pytest

from tests.cast import Person

ASKED = {"subject": "A seal is red", "message": "What did I do wrong?", "waiver": "3F2A9C1E"}


def headers(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {name}"}


async def test_a_company_asks_in_the_name_of_its_account(
    client: httpx.AsyncClient, rosa: Person, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    forged = {**ASKED, "name": "The boss", "email": "boss@example.com", "company": "Another"}
    answer = await client.post("/ask-support", json=forged, headers=headers("rosa"))

    assert answer.status_code == 201
    kept = await admin.fetchrow(
        "select kind, email, subject, message, waiver, user_id, company_id, network from inquiries.messages"
    )
    letter = await admin.fetchrow("select recipient, subject, reply_to, body from emails")
    assert kept is not None
    assert letter is not None
    assert tuple(kept) == (
        "support", rosa.email, "A seal is red", "What did I do wrong?", "3f2a9c1e", rosa.id, rosa.company_id, None,
    )  # fmt: skip
    assert (letter["subject"], letter["reply_to"]) == ("Support: A seal is red", rosa.email)
    assert answer.json() == {"id": letter["body"].split("Stored as ")[1].rstrip("."), "answerTo": rosa.email}
    assert "Waiver: 3f2a9c1e" in letter["body"]
    assert "boss" not in letter["body"]


@pytest.mark.parametrize(
    ("typed", "field", "reason"),
    [
        ({**ASKED, "subject": " "}, "subject", "Please say in a few words what it is about"),
        ({**ASKED, "message": ""}, "message", "Please write your message"),
        ({**ASKED, "message": "x" * 5001}, "message", "Please use at most 5000 characters"),
        ({**ASKED, "waiver": "the red one"}, "waiver", "Please enter the id of one waiver, such as 3f2a9c1e"),
    ],
)
async def test_what_is_missing_is_told_by_its_field(
    client: httpx.AsyncClient, typed: dict[str, str], field: str, reason: str
) -> None:
    answer = await client.post("/ask-support", json=typed, headers=headers("rosa"))

    assert answer.status_code == 422
    assert (answer.json()["field"], answer.json()["reason"]) == (field, reason)


@pytest.mark.parametrize("person", ["gil", "anon"])
async def test_only_a_company_asks(client: httpx.AsyncClient, person: str) -> None:
    assert (await client.post("/ask-support", json=ASKED, headers=headers(person))).status_code == 403


async def test_an_account_that_asks_too_often_waits(client: httpx.AsyncClient) -> None:
    for _ in range(5):
        assert (await client.post("/ask-support", json=ASKED, headers=headers("rosa"))).status_code == 201

    refused = await client.post("/ask-support", json=ASKED, headers=headers("rosa"))

    assert refused.status_code == 429
    assert refused.json()["error"].startswith("Too many messages came from your account within an hour.")
    assert (await client.post("/ask-support", json=ASKED, headers=headers("mallory"))).status_code == 201
