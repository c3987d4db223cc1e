"""Creates a sample company with a few guests for the pictures."""

import time

import httpx

from tests.factories import signature_data_url

PASSWORD = "a long walk by the river"  # noqa: S105 - the sample company exists only in a temporary folder

# The first three guests have not signed yet.
GUESTS = [
    ("Noor Haddad", "template-general-liability"),
    ("Tomás Vega", "template-general-liability"),
    ("Ingrid Solheim", "template-photography-release"),
    ("Gil Okafor", "template-general-liability"),
    ("Hana Sato", "template-general-liability"),
    ("Piotr Zieliński", "template-medical-emergency-authorization"),
    ("Amara Diallo", "template-general-liability"),
]
_PENDING_COUNT = 3
_DOCUMENT_TIMEOUT_SECONDS = 30


def create_company(client: httpx.Client, service_key: str) -> tuple[dict[str, str], str, str]:
    """Creates the company and returns its owner's headers, the first guest's signing link and a signed session's id."""
    account = {"email": "rosa@example.com", "password": PASSWORD, "data": {"name": "Rosa Marín", "role": "company"}}
    user_id = client.post("/auth/v1/signup", json=account).raise_for_status().json()["user"]["id"]
    operator_headers = {"apikey": service_key, "Authorization": f"Bearer {service_key}"}
    response = client.put(f"/auth/v1/admin/users/{user_id}", json={"email_confirm": True}, headers=operator_headers)
    response.raise_for_status()
    session = client.post("/auth/v1/token?grant_type=password", json=account).raise_for_status().json()
    rosas_headers = {"Authorization": f"Bearer {session['access_token']}", "Prefer": "return=representation"}
    client.patch("/rest/v1/companies?name=eq.", json={"name": "Rio Rafting"}, headers=rosas_headers).raise_for_status()
    session_ids = {name: open_session(client, rosas_headers, name, template) for name, template in reversed(GUESTS)}
    for name, _ in GUESTS[_PENDING_COUNT:]:
        waiver = {
            "session_id": session_ids[name],
            "signer_name": name,
            "signer_email": email_of(name),
            "signature": signature_data_url(),
        }
        client.post("/rest/v1/signed_waivers", json=waiver).raise_for_status()
    return rosas_headers, f"/waivers/sign/session/{session_ids[GUESTS[0][0]]}", session_ids[GUESTS[_PENDING_COUNT][0]]


def open_session(client: httpx.Client, rosas_headers: dict[str, str], name: str, template_id: str) -> str:
    row = {"template_id": template_id, "recipient_name": name, "recipient_email": email_of(name)}
    [session] = client.post("/rest/v1/waiver_sessions", json=row, headers=rosas_headers).raise_for_status().json()
    return str(session["id"])


def fetch_document(client: httpx.Client, rosas_headers: dict[str, str], session_id: str) -> bytes:
    waivers = client.get(f"/rest/v1/signed_waivers?session_id=eq.{session_id}&select=id", headers=rosas_headers)
    [waiver] = waivers.raise_for_status().json()
    deadline = time.monotonic() + _DOCUMENT_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        # Each request waits for the worker for a few seconds.
        response = client.post("/functions/v1/waiver-document", json={"waiver_id": waiver["id"]}, headers=rosas_headers)
        if response.raise_for_status().status_code == httpx.codes.OK:
            return response.content
    raise AssertionError(f"no document within {_DOCUMENT_TIMEOUT_SECONDS} s")


def email_of(name: str) -> str:
    return f"{name.split(maxsplit=1)[0].lower()}@example.com"
