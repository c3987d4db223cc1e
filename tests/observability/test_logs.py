"""The log is JSON or text, contains the request id, and contains no personal data."""

import asyncio
import json
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import asyncpg
import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from cairn.kit import Problem, RequestIds, current_request_id, log_failure, log_problem
from cairn.logs import JsonFormatter, LogSettings, TextFormatter, configure_logging
from tests.faults.test_kill import open_sessions, sign_session
from tests.serving import RunningServer, serving

ROSA = "rosa.alvarez@rio-rafting.example"
GIL = "gil@example.com"
PASSWORD = "Correct-Horse-77"
FILE_NAME = "passport-of-gil-okafor.pdf"
LINK_SECRET = "c2VjcmV0LW9mLWEtbWFpbGVkLWxpbms"


@pytest.mark.accept("OPS-21", "OPS-22", "OPS-23")
async def test_the_log_of_a_server_is_json_with_request_ids_and_without_personal_data(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path) as server:
        responses = await do_everything_that_is_logged(server)
        await wait_for_email(server)

    output, errors = capfd.readouterr()
    lines = [json.loads(line) for line in (output + errors).splitlines()]
    assert all(set(line) >= {"time", "level", "logger", "message"} for line in lines)
    assert any("is kept" in line["message"] for line in lines), "the worker writes the same format"
    logged_ids = {line["request_id"] for line in lines if "request_id" in line}
    for response in responses:
        assert response.headers["x-request-id"] in logged_ids, response.url
    for private_text in (ROSA, "rosa", GIL, "Okafor", PASSWORD, "Horse", FILE_NAME, LINK_SECRET, server.service_key):
        assert private_text not in output + errors


async def do_everything_that_is_logged(server: RunningServer) -> list[httpx.Response]:
    """Returns the responses of the refused requests. Each of these requests writes a line to the log."""
    headers = {"apikey": server.anon_key}
    async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=20) as client:
        account = {"email": ROSA, "password": PASSWORD, "data": {"name": "Rosa Alvarez", "role": "company"}}
        assert (await client.post("/auth/v1/signup", json=account)).status_code == 200
        [session_id] = await open_sessions(server, 1)
        assert await sign_session(client, session_id, set())
        await client.get(f"/documents/{LINK_SECRET}")
        return [
            await client.post(
                "/auth/v1/token?grant_type=password", json={"email": ROSA, "password": f"{PASSWORD}, no, Horse-78"}
            ),
            await client.get(f"/storage/v1/object/authenticated/documents/{FILE_NAME}"),
        ]


async def wait_for_email(server: RunningServer) -> None:
    """Waits until the worker has processed the email about the sign-up."""
    connection = await asyncpg.connect(server.db_url)
    for _ in range(200):
        if await connection.fetchval("select exists (select from emails where status = 'kept')"):
            break
        await asyncio.sleep(0.1)
    await connection.close()


async def test_a_request_id_of_the_client_is_not_used() -> None:
    async with client_of(lambda: None) as client:
        response = await client.get("/", headers={"x-request-id": "forged"})
        other_response = await client.get("/")

    ids = {response.headers["x-request-id"], other_response.headers["x-request-id"]}
    assert len(ids) == 2
    assert "forged" not in ids
    assert all(len(request_id) == 32 for request_id in ids)


async def test_an_accepted_websocket_has_a_request_id_too() -> None:
    sent: list[Message] = []

    async def accept(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept"})

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await RequestIds(accept)({"type": "websocket"}, receive, send)

    [message] = sent
    assert [name for name, _ in message["headers"]] == [b"x-request-id"]


@pytest.mark.accept("OPS-22")
async def test_each_line_of_a_request_contains_its_id_in_both_formats() -> None:
    lines: list[str] = []

    def write_lines() -> None:
        lines.append(json.loads(JsonFormatter().format(record("hello")))["request_id"])
        lines.append(TextFormatter().format(record("hello", error=error_of("first\nsecond"))).splitlines()[0])

    async with client_of(write_lines) as client:
        request_id = (await client.get("/")).headers["x-request-id"]

    assert lines[0] == request_id
    assert lines[1].endswith(f" hello [request {request_id}]")


async def test_the_id_in_the_body_of_a_failed_request_is_that_of_the_log() -> None:
    ids: list[str] = []

    def fail() -> None:
        request = Request({"type": "http", "method": "GET", "path": "/", "headers": []})
        ids.extend((log_failure(logging.getLogger("cairn"), request), current_request_id()))

    async with client_of(fail) as client:
        response = await client.get("/")

    assert ids == [response.headers["x-request-id"]] * 2


@pytest.mark.accept("OPS-23")
@pytest.mark.parametrize("formatter", [JsonFormatter(), TextFormatter()])
def test_addresses_phone_numbers_tokens_and_rows_in_errors_are_hidden(formatter: logging.Formatter) -> None:
    error = error_of(
        'duplicate key\nDETAIL:  Key (name)=(Gil Okafor) already exists.\nmailbox "gil@example.com" is full'
    )
    token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"

    text = formatter.format(record(f"<gil@example.com> +15551234567 {token} user=gil@example.com", error=error))

    assert not any(private in text for private in ("gil", "Gil", "5551234567", token))
    assert "<[address]> [phone] [token] user=[address]" in text
    assert "duplicate key" in text


def test_ids_and_times_are_not_hidden() -> None:
    message = f"waiver {uuid4()} at 2026-11-17T01:25:20+00:00 took 123456789 ns of 10.0.0.1:8000"

    assert json.loads(JsonFormatter().format(record(message)))["message"] == message


@pytest.mark.accept("OPS-23")
def test_a_refused_request_is_logged_without_what_the_caller_sent(caplog: pytest.LogCaptureFixture) -> None:
    class Missing(Problem):
        status, code, message = 404, "missing", "There is no {name}"

    class Unreachable(Problem):
        status, code, message = 503, "unreachable", "The file store did not answer"

    log = logging.getLogger("cairn")
    with caplog.at_level(logging.INFO):
        log_problem(log, request_to("/storage/v1", f"/object/photos/{FILE_NAME}"), Missing(name=FILE_NAME))
        log_problem(log, request_to("/storage/v1", f"/object/photos/{FILE_NAME}"), Unreachable())
        log_problem(log, request_to("/documents", f"/{LINK_SECRET}"), Missing(name="document"))

    assert [entry.getMessage() for entry in caplog.records] == [
        "GET '/storage/v1/object' refused: missing",
        "GET '/storage/v1/object' refused: unreachable ('The file store did not answer')",
        "GET '/documents' refused: missing",
    ]


@pytest.mark.accept("OPS-21")
@pytest.mark.parametrize(
    ("setting", "is_terminal", "expected"),
    [
        (None, True, TextFormatter),
        (None, False, JsonFormatter),
        ("json", True, JsonFormatter),
        ("text", False, TextFormatter),
    ],
)
def test_the_format_depends_on_the_setting_or_on_the_terminal(
    setting: str | None, is_terminal: bool, expected: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    handlers: list[logging.Handler] = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    monkeypatch.setattr(logging, "basicConfig", lambda **options: handlers.extend(options["handlers"]))

    configure_logging(LogSettings.model_validate({"format": setting}))

    [handler] = handlers
    assert type(handler.formatter) is expected


def client_of(during_request: Callable[[], None]) -> httpx.AsyncClient:
    """Returns a client of an application that calls `during_request`."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        during_request()
        await PlainTextResponse("ok")(scope, receive, send)

    return httpx.AsyncClient(transport=httpx.ASGITransport(app=RequestIds(app)), base_url="http://cairn.example")


def request_to(service: str, path: str) -> Request:
    scope = {"type": "http", "method": "GET", "root_path": service, "path": service + path, "headers": []}
    return Request(scope)


def record(message: str, error: Exception | None = None) -> logging.LogRecord:
    exc_info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("cairn.test", logging.INFO, __file__, 1, message, (), exc_info)


def error_of(text: str) -> ValueError:
    return ValueError(text)
