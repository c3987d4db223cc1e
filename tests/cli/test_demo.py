"""`cairn demo`, which creates a sample company."""

import re
import time
from pathlib import Path

import httpx
import pytest

from cairn.kit import now
from tests.serving import RunningServer, run_cairn, serving


def sign_in(server: RunningServer, email: str, printed: str) -> httpx.Response:
    password = re.search(r"^ +password +(\S+)", printed, re.MULTILINE)
    assert password is not None, printed
    return httpx.post(
        f"{server.url}/auth/v1/token?grant_type=password",
        json={"email": email, "password": password[1]},
        headers={"apikey": server.anon_key},
    )


def rows(server: RunningServer, token: str, path: str) -> list[dict[str, str]]:
    headers = {"apikey": server.anon_key, "Authorization": f"Bearer {token}"}
    response = httpx.request(
        "POST" if path.startswith("rpc/") else "GET", f"{server.url}/rest/v1/{path}", headers=headers
    )
    found: list[dict[str, str]] = response.raise_for_status().json()
    return found


def payment_methods(server: RunningServer, token: str) -> tuple[list[dict[str, object]], float]:
    """The payment methods, and how many seconds the request took."""
    headers = {"apikey": server.anon_key, "Authorization": f"Bearer {token}"}
    began = time.monotonic()
    response = httpx.post(f"{server.url}/functions/v1/payment-methods", json={}, headers=headers).raise_for_status()
    found: list[dict[str, object]] = response.json()["paymentMethods"]
    return found, time.monotonic() - began


@pytest.mark.accept("BILL-05")
async def test_the_sample_season_is_complete_and_consistent(tmp_path: Path) -> None:
    began = now()
    with serving(tmp_path) as server:
        created = run_cairn("demo", "--data", tmp_path)
        assert created.returncode == 0, created.stderr
        company = sign_in(server, "company@sample.example", created.stdout).json()["access_token"]
        guest = sign_in(server, "noor.haddad@sample.example", created.stdout).json()["access_token"]

        signed = rows(server, company, "signed_waivers?select=signer_name,signed_at,document_status,signature")
        pending = rows(server, company, "waiver_sessions?status=eq.pending&select=created_at,expires_at,recipient_name")
        mails = rows(server, company, "emails?select=recipient,status")
        guest_waivers = rows(server, guest, "rpc/my_waivers")
        invoices = rows(server, company, "invoices?select=number,amount_cents,issued_at,status&order=number")
        cards, waited = payment_methods(server, company)
        guest_cards, _ = payment_methods(server, guest)
        guest_invoices = rows(server, guest, "invoices?select=number")
        again = run_cairn("demo", "--data", tmp_path)
        signed_after = rows(server, company, "signed_waivers?select=id")
        signed_in_again = sign_in(server, "company@sample.example", again.stdout)
        history = run_cairn("verify", "--data", tmp_path)

    assert len(signed) >= 20
    assert {waiver["document_status"] for waiver in signed} == {"ready"}
    assert len({waiver["signature"] for waiver in signed}) == len(signed), "every guest has a different signature"
    assert len({session["created_at"][:10] for session in pending}) > 5, "not all sent on one day"
    assert min(session["expires_at"] for session in pending) < max(session["created_at"] for session in pending)
    assert min(waiver["signed_at"] for waiver in signed) > began.isoformat(), "no signature is backdated"
    assert all("(sample)" in waiver["signer_name"] for waiver in signed)
    assert {mail["recipient"].rpartition("@")[2] for mail in mails} == {"sample.example"}
    assert {mail["status"] for mail in mails} == {"kept"}
    assert {str(invoice["number"]): int(invoice["amount_cents"]) for invoice in invoices} == {
        "1000": 750,
        "1001": 975,
        "1002": 1200,
    }
    issued = [invoice["issued_at"] for invoice in invoices]
    assert issued == sorted(issued)
    [card] = cards
    assert {**card, "id": ""} == {
        "id": "", "brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2028, "isDefault": True,
    }  # fmt: skip
    assert waited >= 1.0
    assert (guest_cards, guest_invoices) == ([], [])
    assert {waiver["status"] for waiver in guest_waivers} == {"pending", "signed"}
    assert history.returncode == 0, history.stdout
    assert "exists already" in again.stdout
    assert len(signed_after) == len(signed)
    assert signed_in_again.status_code == 200


async def test_no_sample_is_created_if_a_mail_server_is_configured(tmp_path: Path) -> None:
    refused = run_cairn("demo", "--data", tmp_path, CAIRN_MESSAGING__SMTP__HOST="127.0.0.1")

    assert refused.returncode != 0
    assert "A mail server is configured" in refused.stderr
