"""Only a company may call `send-email`, which sends an email and returns the outcome."""

import io
from uuid import UUID, uuid4

import httpx
import pikepdf
import pytest
import pytest_asyncio

from cairn.db import Database
from cairn.jobs import OutboxNotifier
from tests.factories import make_session, record_sending
from tests.mail_server import MailServer, plain_body
from tests.people import Person
from tests.running_worker import worker_running


@pytest_asyncio.fixture
async def session_id(database: Database, rosa: Person) -> UUID:
    """Returns the id of a session of Rosa's company."""
    return await make_session(database, rosa)


async def send(client: httpx.AsyncClient, caller: str, **parameters: object) -> httpx.Response:
    defaults = {"to": "gil@example.com", "subject": "Please sign: River trip Waiver", "body": "Hello Gil"}
    body = {name: value for name, value in {**defaults, **parameters}.items() if value is not None}
    return await client.post("/send-email", json=body, headers={"Authorization": f"Bearer {caller}"})


@pytest.mark.accept("FN-01", "MAIL-06")
@pytest.mark.usefixtures("worker")
async def test_a_company_receives_the_outcome_of_its_email(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, rosa: Person, session_id: UUID
) -> None:
    response = await send(client, "rosa", sessionId=str(session_id), attachmentType="link")

    assert response.status_code == 200
    assert response.json()["status"] == "delivered"
    [email] = mail_server.emails
    assert email["From"].startswith("Rio Rafting")
    assert plain_body(email).strip() == "Hello Gil"
    async with database.acting_as(rosa.principal) as connection:
        row = await connection.fetchrow("select id, status, session_id, message_id from emails")
    assert row is not None
    assert (row["id"], row["status"], row["session_id"]) == (UUID(response.json()["id"]), "delivered", session_id)
    assert row["message_id"] == email["Message-ID"]


@pytest.mark.usefixtures("worker")
async def test_a_reply_to_an_invitation_goes_to_the_person_who_sent_it(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, rosa: Person
) -> None:
    """The contact page tells guests to reply to the invitation if they have questions about their waiver."""
    session_id = await make_session(database, rosa)

    await send(client, "rosa", sessionId=str(session_id))

    assert [email["Reply-To"] for email in mail_server.emails] == [rosa.email]


async def test_without_a_mail_server_an_email_has_the_status_kept(
    client: httpx.AsyncClient, database: Database, login_url: str, notifier: OutboxNotifier
) -> None:
    async with worker_running(database, login_url, notifier):
        response = await send(client, "rosa")

    assert (response.status_code, response.json()["status"]) == (200, "kept")


@pytest.mark.accept("FN-03", "TPL-22")
@pytest.mark.usefixtures("worker")
async def test_a_refused_email_is_recorded_as_failed_and_the_reason_is_returned(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, rosa: Person, session_id: UUID
) -> None:
    mail_server.reply = "550 No such person"
    await record_sending(database, rosa, session_id)

    response = await send(client, "rosa", sessionId=str(session_id))

    assert response.status_code == 502
    assert response.json()["error"] == "Failed to send email: 550 (No such person)"
    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select status from emails") == "failed"
        assert await connection.fetchval("select email_status from sent_waivers") == "failed"
        assert await connection.fetchval("select status from waiver_sessions") == "pending"


@pytest.mark.accept("FN-02")
@pytest.mark.parametrize("missing", ["to", "subject", "body"])
async def test_the_fields_to_subject_and_body_are_required(client: httpx.AsyncClient, missing: str) -> None:
    response = await send(client, "rosa", **{missing: None})

    assert response.status_code == 400
    assert response.json()["error"] == "Missing required email parameters: to, subject, and body are required"


async def test_an_invalid_address_is_refused_before_anything_is_stored(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    response = await send(client, "rosa", to="not an address")

    assert response.status_code == 400
    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetch("select * from emails") == []


@pytest.mark.accept("FN-04")
@pytest.mark.parametrize("caller", ["anon", "gil"])
async def test_only_a_company_can_send_email(client: httpx.AsyncClient, caller: str) -> None:
    response = await send(client, caller)

    assert response.status_code == 403
    assert response.json()["error"] == "Only a company account can send email."


@pytest.mark.accept("FN-05")
async def test_a_rival_cannot_send_email_about_the_session_of_another_company(
    client: httpx.AsyncClient, session_id: UUID
) -> None:
    for session in (session_id, uuid4()):
        assert (await send(client, "mallory", sessionId=str(session))).status_code == 403


@pytest.mark.accept("FN-07")
async def test_an_unknown_function_is_not_found(client: httpx.AsyncClient) -> None:
    response = await client.post("/send-owl", headers={"Authorization": "Bearer rosa"})

    assert response.status_code == 404
    assert response.headers["x-relay-error"] == "true"


@pytest.mark.parametrize(
    ("headers", "message"), [({}, "Missing authorization header"), ({"Authorization": "Bearer x"}, "Invalid JWT")]
)
async def test_no_function_is_called_without_a_valid_token(
    client: httpx.AsyncClient, headers: dict[str, str], message: str
) -> None:
    response = await client.post("/send-email", headers=headers)

    assert (response.status_code, response.json()["message"]) == (401, message)


@pytest.mark.usefixtures("worker")
async def test_a_rival_sees_no_email_of_another_company(
    client: httpx.AsyncClient, database: Database, mallory: Person
) -> None:
    await send(client, "rosa")

    async with database.acting_as(mallory.principal) as connection:
        assert await connection.fetch("select * from emails") == []


@pytest.mark.accept("TPL-23", "MAIL-18")
@pytest.mark.usefixtures("worker")
async def test_an_email_with_attachment_type_pdf_contains_the_interactive_form(
    client: httpx.AsyncClient, mail_server: MailServer, session_id: UUID
) -> None:
    parameters = {"sessionId": str(session_id), "attachmentType": "pdf", "body": "See the attached PDF."}

    response = await send(client, "rosa", **parameters)

    assert (response.status_code, response.json()["status"]) == (200, "delivered")
    [attachment] = mail_server.emails[0].iter_attachments()
    assert attachment.get_filename() == "General Liability Waiver (to sign).pdf"
    with pikepdf.open(io.BytesIO(attachment.get_content())) as form:
        assert {str(field.T): str(field.get("/V", "")) for field in form.Root.AcroForm.Fields} == {
            "name": "Gil Okafor", "email": "gil@example.com", "date": "", "signature": "",
        }  # fmt: skip
        links = [str(note.A.URI) for page in form.pages for note in page.get("/Annots", []) if "/A" in note]
    assert set(links) == {f"https://waivers.example/waivers/sign/session/{session_id}"}


async def test_attachment_type_pdf_requires_a_session(client: httpx.AsyncClient) -> None:
    response = await send(client, "rosa", attachmentType="pdf")

    assert (response.status_code, response.json()["code"]) == (400, "pdf_needs_session")
