"""`cairn mailbox`, for operators without a mail server."""

import time
from pathlib import Path

import httpx

from tests.serving import run_cairn, serving

ROSA = {"email": "rosa@rio-rafting.example", "password": "nine rapids before noon"}


def test_kept_emails_are_shown_with_their_links(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert run_cairn("mailbox", "--data", tmp_path).stdout == "no email was kept\n"
        signed_up = httpx.post(f"{server.url}/auth/v1/signup", json=ROSA, headers={"apikey": server.anon_key})
        assert signed_up.status_code == 200
        shown = _mailbox(tmp_path)

    assert "to rosa@rio-rafting.example: Confirm your email address" in shown
    assert f"{server.url}/auth/v1/verify?token=" in shown


def _mailbox(data: Path) -> str:
    """Waits until the worker has stored the email."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        shown = run_cairn("mailbox", "--last", "3", "--data", data).stdout
        if "Confirm" in shown:
            return shown
    raise AssertionError("the email was not stored")


def test_sign_in_by_phone_requires_an_sms_gateway(tmp_path: Path) -> None:
    refused = run_cairn("keys", "--data", tmp_path, CAIRN_AUTH__EXTERNAL_PHONE_ENABLED="true")

    assert refused.returncode == 1
    assert refused.stderr.startswith(
        "cairn: CAIRN_AUTH__EXTERNAL_PHONE_ENABLED cannot be used: it needs an SMS gateway"
    )
