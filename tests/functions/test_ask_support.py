import asyncpg
import httpx
import pytest

from tests.people import Person

REQUEST = {"subject": "A seal is red", "message": "What did I do wrong?", "waiver": "3F2A9C1E"}


def headers(caller: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {caller}"}


async def test_the_sender_of_a_support_request_comes_from_the_account(
    client: httpx.AsyncClient, rosa: Person, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    forged_request = {**REQUEST, "name": "The boss", "email": "boss@example.com", "company": "Another"}
    response = await client.post("/ask-support", json=forged_request, headers=headers("rosa"))

    assert response.status_code == 201
    inquiry = await admin.fetchrow(
        "select kind, email, subject, message, waiver, user_id, company_id, network from inquiries.messages"
    )
    email = await admin.fetchrow("select recipient, subject, reply_to, body from emails")
    assert inquiry is not None
    assert email is not None
    assert tuple(inquiry) == (
        "support", rosa.email, "A seal is red", "What did I do wrong?", "3f2a9c1e", rosa.id, rosa.company_id,
        "127.0.0.1",
    )  # fmt: skip
    assert (email["subject"], email["reply_to"]) == ("Support: A seal is red", rosa.email)
    assert response.json() == {"id": email["body"].split("Stored as ")[1].rstrip("."), "answerTo": rosa.email}
    assert "Waiver: 3f2a9c1e" in email["body"]
    assert "boss" not in email["body"]


@pytest.mark.parametrize(
    ("request_body", "field", "reason"),
    [
        ({**REQUEST, "subject": " "}, "subject", "Please say in a few words what it is about"),
        ({**REQUEST, "message": ""}, "message", "Please write your message"),
        ({**REQUEST, "message": "x" * 5001}, "message", "Please use at most 5000 characters"),
        ({**REQUEST, "waiver": "the red one"}, "waiver", "Please enter the id of one waiver, such as 3f2a9c1e"),
    ],
)
async def test_an_invalid_field_is_reported_with_the_reason(
    client: httpx.AsyncClient, request_body: dict[str, str], field: str, reason: str
) -> None:
    response = await client.post("/ask-support", json=request_body, headers=headers("rosa"))

    assert response.status_code == 422
    assert (response.json()["field"], response.json()["reason"]) == (field, reason)


@pytest.mark.parametrize("caller", ["gil", "anon"])
async def test_only_a_company_can_contact_support(client: httpx.AsyncClient, caller: str) -> None:
    assert (await client.post("/ask-support", json=REQUEST, headers=headers(caller))).status_code == 403


async def test_support_requests_are_rate_limited_per_account(client: httpx.AsyncClient) -> None:
    for _ in range(5):
        assert (await client.post("/ask-support", json=REQUEST, headers=headers("rosa"))).status_code == 201

    response = await client.post("/ask-support", json=REQUEST, headers=headers("rosa"))

    assert response.status_code == 429
    assert response.json()["error"].startswith("Too many messages came from your account within an hour.")
    assert (await client.post("/ask-support", json=REQUEST, headers=headers("mallory"))).status_code == 201
