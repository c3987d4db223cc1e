"""`send-email`: who may, what is said, and that the answer is true."""

import io
from uuid import UUID, uuid4

import httpx
import pikepdf
import pytest

from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings
from tests.cast import Person
from tests.mail_server import MailServer, plain
from tests.make import make_session
from tests.running_worker import worker_running


async def send(client: httpx.AsyncClient, who: str, **asked: object) -> httpx.Response:
    words = {"to": "gil@example.com", "subject": "Please sign: River trip Waiver", "body": "Hello Gil", **asked}
    body = {name: value for name, value in words.items() if value is not None}
    return await client.post("/send-email", json=body, headers={"Authorization": f"Bearer {who}"})


@pytest.mark.accept("FN-01", "MAIL-06")
async def test_a_company_hears_that_its_mail_was_taken(
    client: httpx.AsyncClient,
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    office: MailServer,
    rosa: Person,
) -> None:
    session_id = await make_session(database, rosa)
    async with worker_running(database, login_url, notifier, mail=MessagingSettings(smtp=office.settings)):
        answer = await send(client, "rosa", sessionId=str(session_id), attachmentType="link")

    assert answer.status_code == 200
    assert answer.json()["status"] == "delivered"
    [letter] = office.emails
    assert letter["From"].startswith("Rio Rafting")
    assert plain(letter).strip() == "Hello Gil"
    async with database.acting_as(rosa.principal) as connection:
        kept = await connection.fetchrow("select id, status, session_id, message_id from emails")
    assert kept is not None
    assert (kept["id"], kept["status"], kept["session_id"]) == (UUID(answer.json()["id"]), "delivered", session_id)
    assert kept["message_id"] == letter["Message-ID"]


async def test_without_a_mail_server_the_answer_is_kept_not_delivered(
    client: httpx.AsyncClient, database: Database, login_url: str, notifier: OutboxNotifier
) -> None:
    async with worker_running(database, login_url, notifier):
        answer = await send(client, "rosa")

    assert (answer.status_code, answer.json()["status"]) == (200, "kept")


@pytest.mark.accept("FN-03", "TPL-22")
async def test_a_refused_mail_answers_with_the_reason_and_is_kept_as_failed(
    client: httpx.AsyncClient,
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    office: MailServer,
    rosa: Person,
) -> None:
    office.answer = "550 No such person"
    session_id = await make_session(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(
            """
            insert into sent_waivers (session_id, template_id, template_name, template_content, recipient_name,
                                      recipient_email)
            values ($1, 't', 'River trip', '', 'Gil', 'gil@example.com')
            """,
            session_id,
        )

    async with worker_running(database, login_url, notifier, mail=MessagingSettings(smtp=office.settings)):
        answer = await send(client, "rosa", sessionId=str(session_id))

    assert answer.status_code == 502
    assert answer.json()["error"] == "The mail server answered 550: No such person"
    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select status from emails") == "failed"
        assert await connection.fetchval("select email_status from sent_waivers") == "failed"
        assert await connection.fetchval("select status from waiver_sessions") == "pending"


@pytest.mark.accept("FN-02")
@pytest.mark.parametrize("missing", ["to", "subject", "body"])
async def test_to_subject_and_body_are_required(client: httpx.AsyncClient, missing: str) -> None:
    answer = await send(client, "rosa", **{missing: None})

    assert answer.status_code == 400
    assert answer.json()["error"] == "Missing required email parameters: to, subject, and body are required"


async def test_something_that_is_no_address_is_refused_before_anything_is_written(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    answer = await send(client, "rosa", to="not an address")

    assert answer.status_code == 400
    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetch("select * from emails") == []


@pytest.mark.accept("FN-04")
@pytest.mark.parametrize("who", ["anon", "gil"])
async def test_only_a_company_sends_mail(client: httpx.AsyncClient, who: str) -> None:
    answer = await send(client, who)

    assert answer.status_code == 403
    assert answer.json()["error"] == "Only a company account can send email."


@pytest.mark.accept("FN-05")
async def test_a_rival_cannot_mail_about_another_s_session(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)

    for session in (session_id, uuid4()):
        assert (await send(client, "mallory", sessionId=str(session))).status_code == 403


@pytest.mark.accept("FN-07")
async def test_an_unknown_function_is_not_found(client: httpx.AsyncClient) -> None:
    answer = await client.post("/send-owl", headers={"Authorization": "Bearer rosa"})

    assert answer.status_code == 404
    assert answer.headers["x-relay-error"] == "true"


@pytest.mark.parametrize(
    ("headers", "message"), [({}, "Missing authorization header"), ({"Authorization": "Bearer x"}, "Invalid JWT")]
)
async def test_without_a_good_token_no_function_is_called(
    client: httpx.AsyncClient, headers: dict[str, str], message: str
) -> None:
    answer = await client.post("/send-email", headers=headers)

    assert (answer.status_code, answer.json()["message"]) == (401, message)


async def test_a_rival_sees_no_mail_of_another_company(
    client: httpx.AsyncClient, database: Database, login_url: str, notifier: OutboxNotifier, mallory: Person
) -> None:
    async with worker_running(database, login_url, notifier):
        await send(client, "rosa")

    async with database.acting_as(mallory.principal) as connection:
        assert await connection.fetch("select * from emails") == []


@pytest.mark.accept("TPL-23", "MAIL-18")
async def test_a_pdf_send_attaches_the_fillable_form(
    client: httpx.AsyncClient,
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    office: MailServer,
    rosa: Person,
) -> None:
    session_id = await make_session(database, rosa)
    async with worker_running(database, login_url, notifier, mail=MessagingSettings(smtp=office.settings)):
        answer = await send(
            client, "rosa", sessionId=str(session_id), attachmentType="pdf", body="See the attached PDF."
        )

    assert (answer.status_code, answer.json()["status"]) == (200, "delivered")
    [attached] = office.emails[0].iter_attachments()
    assert attached.get_filename() == "General Liability Waiver (to sign).pdf"
    with pikepdf.open(io.BytesIO(attached.get_content())) as form:
        assert {str(field.T): str(field.get("/V", "")) for field in form.Root.AcroForm.Fields} == {
            "name": "Gil Okafor", "email": "gil@example.com", "date": "", "signature": "",
        }  # fmt: skip
        links = [str(note.A.URI) for page in form.pages for note in page.get("/Annots", []) if "/A" in note]
    assert set(links) == {f"https://waivers.example/waivers/sign/session/{session_id}"}


async def test_a_pdf_needs_a_session_to_be_made_for(client: httpx.AsyncClient) -> None:
    answer = await send(client, "rosa", attachmentType="pdf")

    assert (answer.status_code, answer.json()["code"]) == (400, "pdf_needs_session")
