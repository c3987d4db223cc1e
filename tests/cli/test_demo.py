"""`cairn demo` creates a sample company."""

import re
import time
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from cairn.kit import now
from tests.serving import RunningServer, run_cairn, serving


def sign_in(server: RunningServer, email: str, output: str) -> httpx.Response:
    password = re.search(r"^ +password +(\S+)", output, re.MULTILINE)
    assert password is not None, output
    return httpx.post(
        f"{server.url}/auth/v1/token?grant_type=password",
        json={"email": email, "password": password[1]},
        headers={"apikey": server.anon_key},
    )


def fetch_rows(server: RunningServer, token: str, path: str) -> list[dict[str, str]]:
    headers = {"apikey": server.anon_key, "Authorization": f"Bearer {token}"}
    response = httpx.request(
        "POST" if path.startswith("rpc/") else "GET", f"{server.url}/rest/v1/{path}", headers=headers
    )
    rows: list[dict[str, str]] = response.raise_for_status().json()
    return rows


def fetch_payment_methods(server: RunningServer, token: str) -> tuple[list[dict[str, object]], float]:
    """Returns the payment methods, and how many seconds the request took."""
    headers = {"apikey": server.anon_key, "Authorization": f"Bearer {token}"}
    started_at = time.monotonic()
    response = httpx.post(f"{server.url}/functions/v1/payment-methods", json={}, headers=headers).raise_for_status()
    methods: list[dict[str, object]] = response.json()["paymentMethods"]
    return methods, time.monotonic() - started_at


@pytest.mark.accept("BILL-05", "APP-32")
async def test_the_sample_season_is_complete_and_consistent(tmp_path: Path) -> None:
    started_at = now()
    with serving(tmp_path) as server:
        first_run = run_cairn("demo", "--data", tmp_path)
        assert first_run.returncode == 0, first_run.stderr
        company_token = sign_in(server, "company@sample.example", first_run.stdout).json()["access_token"]
        guest_token = sign_in(server, "noor.haddad@sample.example", first_run.stdout).json()["access_token"]

        waivers = fetch_rows(
            server, company_token, "signed_waivers?select=signer_name,signed_at,document_status,signature,content"
        )
        pending_sessions = fetch_rows(
            server, company_token, "waiver_sessions?status=eq.pending&select=created_at,expires_at,recipient_name"
        )
        emails = fetch_rows(server, company_token, "emails?select=recipient,status,subject,created_at")
        events = fetch_rows(server, company_token, "waiver_events?select=session_id,name,at&order=event_id")
        [company] = fetch_rows(server, company_token, "companies?select=name")
        subscriptions = fetch_rows(server, company_token, "subscriptions?select=plan,status")
        guest_waivers = fetch_rows(server, guest_token, "rpc/my_waivers")
        invoices = fetch_rows(
            server, company_token, "invoices?select=number,amount_cents,issued_at,status&order=number"
        )
        cards, seconds = fetch_payment_methods(server, company_token)
        guest_cards, _ = fetch_payment_methods(server, guest_token)
        guest_invoices = fetch_rows(server, guest_token, "invoices?select=number")
        second_run = run_cairn("demo", "--data", tmp_path)
        # The second run sets a new password, which ends the sessions of the first.
        second_sign_in = sign_in(server, "company@sample.example", second_run.stdout)
        waivers_after = fetch_rows(server, second_sign_in.json()["access_token"], "signed_waivers?select=id")
        verification = run_cairn("verify", "--data", tmp_path)

    assert 40 <= len(waivers) <= 55
    assert 55 <= len(waivers) + len(pending_sessions) <= 65
    months = {waiver["signed_at"][:7] for waiver in waivers}
    assert len(months) >= 5, "the season lasts five months"
    assert sum(email["subject"].startswith("Reminder: ") for email in emails) >= 20
    assert {waiver["document_status"] for waiver in waivers} == {"ready"}
    assert len({waiver["signature"] for waiver in waivers}) == len(waivers), "every guest has a different signature"
    assert len({session["created_at"][:10] for session in pending_sessions}) > 5, "they were sent on different days"
    assert min(session["expires_at"] for session in pending_sessions) < max(
        session["created_at"] for session in pending_sessions
    )
    assert company["name"] == "Rio Rafting (sample data)"
    assert all("This is sample data" in waiver["content"] for waiver in waivers)
    expect_marked_times(events, started_at)
    assert subscriptions == [{"plan": "basic", "status": "active"}]
    assert {email["recipient"].rpartition("@")[2] for email in emails} == {"sample.example"}
    assert {email["status"] for email in emails} == {"kept"}
    assert {str(invoice["number"]): int(invoice["amount_cents"]) for invoice in invoices} == {
        "1000": 750,
        "1001": 975,
        "1002": 1200,
    }
    issue_times = [invoice["issued_at"] for invoice in invoices]
    assert issue_times == sorted(issue_times)
    [card] = cards
    assert {**card, "id": ""} == {
        "id": "", "brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2028, "isDefault": True,
    }  # fmt: skip
    assert seconds >= 1.0, "the sandbox simulates a delay"
    assert (guest_cards, guest_invoices) == ([], [])
    assert {waiver["status"] for waiver in guest_waivers} == {"pending", "signed"}
    assert verification.returncode == 0, verification.stdout
    assert "exists already" in second_run.stdout
    assert len(waivers_after) == len(waivers)
    assert second_sign_in.status_code == 200


def expect_marked_times(events: list[dict[str, str]], started_at: datetime) -> None:
    """Expects that each history says which of its times are made up, and that all other times are real."""
    histories: dict[str, list[dict[str, str]]] = {}
    for event in events:
        histories.setdefault(event["session_id"], []).append(event)
    for history in histories.values():
        names = [event["name"] for event in history]
        assert names.count("session.sampled") == 1
        assert names.index("session.sampled") >= 3, "the made-up events come before this one"
        real = history[names.index("session.sampled") :]
        assert all(datetime.fromisoformat(event["at"]) >= started_at for event in real)
        made_up = history[: names.index("session.sampled")]
        assert [event["at"] for event in made_up] == sorted(event["at"] for event in made_up)


async def test_no_sample_is_created_if_a_mail_server_is_configured(tmp_path: Path) -> None:
    result = run_cairn("demo", "--data", tmp_path, CAIRN_MESSAGING__SMTP__HOST="127.0.0.1")

    assert result.returncode != 0
    assert "A mail server is configured" in result.stderr
