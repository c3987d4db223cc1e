"""`cairn mailbox` shows the emails of a server that has no mail server."""

import time
from pathlib import Path

import httpx

from tests.serving import run_cairn, serving

ROSA = {"email": "rosa@rio-rafting.example", "password": "nine rapids before noon"}


def test_kept_emails_are_shown_with_their_links(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert run_cairn("mailbox", "--data", tmp_path).stdout == "no email was kept\n"
        response = httpx.post(f"{server.url}/auth/v1/signup", json=ROSA, headers={"apikey": server.anon_key})
        assert response.status_code == 200
        output = _wait_for_email(tmp_path)

    assert "to rosa@rio-rafting.example: Confirm your email address" in output
    assert f"{server.url}/auth/v1/verify?token=" in output


def _wait_for_email(data: Path) -> str:
    """Waits until the worker has stored the email, and returns what `cairn mailbox` prints."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        output = run_cairn("mailbox", "--last", "3", "--data", data).stdout
        if "Confirm" in output:
            return output
    raise AssertionError("the email was not stored")


def test_sign_in_by_phone_requires_an_sms_gateway(tmp_path: Path) -> None:
    result = run_cairn("keys", "--data", tmp_path, CAIRN_AUTH__EXTERNAL_PHONE_ENABLED="true")

    assert result.returncode == 1
    assert result.stderr.startswith("cairn: CAIRN_AUTH__EXTERNAL_PHONE_ENABLED cannot be used: it needs an SMS gateway")
