"""Users sign in through the SAML identity provider of their company."""

from base64 import b64decode, b64encode
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.auth.model import s256
from cairn.db import SERVICE, Database
from tests.auth.conftest import open_visitor
from tests.auth.oauth_flow import VERIFIER, exchange, fragment_parameters
from tests.auth.visitor import API_VERSION_HEADER, Visitor, error_of, json_of
from tests.external.saml import SamlProvider, new_key_pair
from tests.people import Person

BEA = "bea@rio-rafting.example"
DOMAIN = "rio-rafting.example"
IDENTITY_PROVIDER = SamlProvider()


@pytest.fixture
def settings(settings: AuthSettings) -> AuthSettings:
    return settings.model_copy(update={"saml": True})


@pytest_asyncio.fixture
async def provider_id(visitor: Visitor, keyring: Keyring) -> str:
    response = await add_provider(visitor, keyring, metadata_xml=IDENTITY_PROVIDER.metadata, domains=[DOMAIN])
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


async def add_provider(visitor: Visitor, keyring: Keyring, **body: Any) -> httpx.Response:
    return await visitor.client.post(
        "/admin/sso/providers", json={"type": "saml", **body}, headers=admin_headers(keyring)
    )


def admin_headers(keyring: Keyring) -> dict[str, str]:
    return {**API_VERSION_HEADER, "Authorization": f"Bearer {keyring.service_key}"}


async def start_sso(visitor: Visitor, **fields: Any) -> httpx.Response:
    body = {"skip_http_redirect": True, "gotrue_meta_security": {}, "code_challenge": None, **fields}
    return await visitor.client.post("/sso", json=body, headers=API_VERSION_HEADER)


async def post_saml_response(visitor: Visitor, form: dict[str, str]) -> str:
    """Posts the SAML response like a browser, without a project key."""
    response = await visitor.client.post("/sso/saml/acs", data=form, headers={"apikey": ""})
    assert response.status_code == 303, response.text
    return response.headers["location"]


async def sign_in_with_sso(visitor: Visitor, email: str = BEA, **overrides: Any) -> dict[str, str]:
    url = json_of(await start_sso(visitor, domain=DOMAIN))["url"]
    return fragment_parameters(
        await post_saml_response(visitor, IDENTITY_PROVIDER.response_form(url, email, **overrides))
    )


@pytest.mark.accept("AUTH-17")
async def test_a_configured_domain_yields_the_url_of_its_provider(visitor: Visitor, provider_id: str) -> None:
    by_domain = json_of(await start_sso(visitor, domain="Rio-Rafting.example"))["url"]
    by_id = json_of(await start_sso(visitor, provider_id=provider_id))["url"]

    assert by_domain.startswith("https://idp.rio-rafting.example/saml/sso?SAMLRequest=")
    assert urlsplit(by_id).netloc == "idp.rio-rafting.example"
    unknown_domain = await start_sso(visitor, domain="rapid-rivals.example")
    assert error_of(unknown_domain) == (404, "sso_provider_not_found")
    assert unknown_domain.json()["message"] == "No SSO provider assigned for this domain"
    assert error_of(await start_sso(visitor, provider_id=str(uuid4()))) == (404, "sso_provider_not_found")
    assert error_of(await start_sso(visitor, provider_id="not a uuid")) == (404, "sso_provider_not_found")
    for fields in ({}, {"domain": DOMAIN, "provider_id": provider_id}):
        assert error_of(await start_sso(visitor, **fields)) == (400, "validation_failed")
    response = await start_sso(visitor, domain=DOMAIN, skip_http_redirect=False)
    assert response.status_code == 303


@pytest.mark.parametrize("signed_element", ["Assertion", "Response"])
async def test_a_valid_saml_response_signs_in(
    visitor: Visitor, provider_id: str, keyring: Keyring, signed_element: str
) -> None:
    first = await sign_in_with_sso(visitor, signed_element=signed_element)
    second = await sign_in_with_sso(visitor, signed_element=signed_element)

    user = json_of(await visitor.user(first))
    assert user["email"] == BEA
    assert user["email_confirmed_at"]
    assert user["user_metadata"]["name"] == "Bea"
    assert user["app_metadata"]["provider"] == f"sso:{provider_id}"
    assert json_of(await visitor.user(second))["id"] == user["id"]
    [method] = keyring.principal(first["access_token"]).claims["amr"]
    assert (method["method"], method["provider"]) == ("sso/saml", f"sso:{provider_id}")


async def test_new_users_join_the_company_of_their_provider(
    visitor: Visitor, keyring: Keyring, database: Database, rosa: Person
) -> None:
    response = await add_provider(
        visitor, keyring, metadata_xml=IDENTITY_PROVIDER.metadata, domains=[DOMAIN], company_id=str(rosa.company_id)
    )
    assert response.status_code == 201

    await sign_in_with_sso(visitor)

    async with database.acting_as(SERVICE) as connection:
        company = await connection.fetchval("select company_id from profiles where email = $1", BEA)
    assert company == rosa.company_id


@pytest.mark.usefixtures("provider_id")
async def test_the_pkce_flow_works_with_saml(visitor: Visitor) -> None:
    fields = {"domain": DOMAIN, "code_challenge": s256(VERIFIER), "code_challenge_method": "s256"}
    url = json_of(await start_sso(visitor, **fields))["url"]

    target = await post_saml_response(visitor, IDENTITY_PROVIDER.response_form(url, BEA))

    code = parse_qs(urlsplit(target).query)["code"][0]
    assert error_of(await exchange(visitor, code, "b" * 112)) == (400, "bad_code_verifier")
    assert json_of(await exchange(visitor, code))["user"]["email"] == BEA


@pytest.mark.usefixtures("provider_id")
@pytest.mark.parametrize(
    ("overrides", "reason"),
    [
        ({"signed_element": "nothing"}, "signature"),
        ({"key": new_key_pair()}, "signature"),
        ({"issuer": "https://mallory.example"}, "it has another issuer"),
        ({"audience": "https://mallory.example"}, "it has another audience"),
        ({"recipient": "https://mallory.example/acs"}, "it belongs to another request"),
        ({"in_response_to": "id-of-another-request"}, "it belongs to another request"),
        ({"not_after": "2020-01-01T00:00:00Z"}, "it has expired"),
        ({"not_before": "2099-01-01T00:00:00Z"}, "not valid yet"),
        ({"not_after": "soon"}, "malformed time"),
        ({"status": "urn:oasis:names:tc:SAML:2.0:status:Responder"}, "did not sign the user in"),
        ({"name_id": ""}, "it names no user"),
    ],
    ids=lambda part: next(iter(part)) if isinstance(part, dict) else "",
)
async def test_a_forged_saml_response_is_refused(visitor: Visitor, overrides: dict[str, Any], reason: str) -> None:
    fragment = await sign_in_with_sso(visitor, **overrides)

    assert fragment["error_code"] == "saml_assertion_invalid"
    assert reason in fragment["error_description"]
    assert "access_token" not in fragment


@pytest.mark.usefixtures("provider_id")
async def test_signature_wrapping_has_no_effect(visitor: Visitor) -> None:
    """The signature is genuine, but the first assertion in the document is not the one that was signed."""
    url = json_of(await start_sso(visitor, domain=DOMAIN))["url"]
    form = IDENTITY_PROVIDER.response_form(url, BEA)
    document = b64decode(form["SAMLResponse"]).decode()
    assertion = document[
        document.index("<saml:Assertion") : document.index("</saml:Assertion>") + len("</saml:Assertion>")
    ]
    forged = assertion.replace("employee-bea", "employee-boss").replace('ID="assertion"', 'ID="forged"')
    forged = (
        forged[: forged.index("<ds:Signature")] + forged[forged.index("</ds:Signature>") + len("</ds:Signature>") :]
    )
    wrapped_document = document.replace(assertion, forged + assertion)

    fragment = fragment_parameters(
        await post_saml_response(visitor, {**form, "SAMLResponse": b64encode(wrapped_document.encode()).decode()})
    )

    user = json_of(await visitor.user(fragment))
    assert user["identities"][0]["id"] == "employee-bea"


@pytest.mark.usefixtures("provider_id")
async def test_a_saml_response_is_accepted_once_and_only_when_requested(visitor: Visitor) -> None:
    url = json_of(await start_sso(visitor, domain=DOMAIN))["url"]
    form = IDENTITY_PROVIDER.response_form(url, BEA)

    assert "access_token" in fragment_parameters(await post_saml_response(visitor, form))
    for unexpected_form in (form, {**form, "RelayState": ""}, {**form, "RelayState": str(uuid4())}, {}):
        assert (
            fragment_parameters(await post_saml_response(visitor, unexpected_form))["error_code"] == "bad_oauth_state"
        )


@pytest.mark.usefixtures("provider_id")
@pytest.mark.parametrize("document", ["", "!", "PHg+", b64encode(b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>").decode()])
async def test_a_malformed_saml_response_is_refused(visitor: Visitor, document: str) -> None:
    url = json_of(await start_sso(visitor, domain=DOMAIN))["url"]
    form = {**IDENTITY_PROVIDER.response_form(url, BEA), "SAMLResponse": document}

    assert fragment_parameters(await post_saml_response(visitor, form))["error_code"] == "saml_assertion_invalid"


@pytest.mark.usefixtures("provider_id")
async def test_a_provider_cannot_sign_in_addresses_outside_its_domains(visitor: Visitor) -> None:
    gil = json_of(await visitor.sign_up("gil@example.com"))

    fragment = await sign_in_with_sso(visitor, "gil@example.com")

    assert fragment["error_code"] == "provider_email_needs_verification"
    assert json_of(await visitor.user(gil))["identities"][0]["provider"] == "email"


@pytest.mark.usefixtures("provider_id")
async def test_a_transient_name_id_does_not_identify_the_user(visitor: Visitor) -> None:
    transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"

    first = await sign_in_with_sso(visitor, name_id="x1", name_id_format=transient)
    second = await sign_in_with_sso(visitor, name_id="x2", name_id_format=transient)

    ids = [json_of(await visitor.user(fragment))["id"] for fragment in (first, second)]
    assert ids[0] == ids[1]


async def test_only_an_administrator_manages_providers(visitor: Visitor, keyring: Keyring, provider_id: str) -> None:
    anonymous = {**API_VERSION_HEADER, "Authorization": f"Bearer {keyring.anon_key}"}
    path = "/admin/sso/providers"
    assert error_of(await visitor.client.get(path, headers=anonymous)) == (403, "not_admin")
    assert error_of(await visitor.client.get(path, headers=API_VERSION_HEADER)) == (401, "no_authorization")
    second_registration = await add_provider(visitor, keyring, metadata_xml=IDENTITY_PROVIDER.metadata)
    assert error_of(second_registration) == (422, "sso_domain_already_exists")
    other_metadata = SamlProvider("https://other.example").metadata
    taken_domain = await add_provider(visitor, keyring, metadata_xml=other_metadata, domains=[DOMAIN])
    assert error_of(taken_domain) == (422, "sso_domain_already_exists")
    unknown_company = await add_provider(visitor, keyring, metadata_xml=other_metadata, company_id=str(uuid4()))
    assert error_of(unknown_company) == (400, "validation_failed")
    fragment = await sign_in_with_sso(visitor)

    [listed_provider] = (await visitor.client.get(path, headers=admin_headers(keyring))).json()["items"]
    provider = (await visitor.client.get(f"{path}/{provider_id}", headers=admin_headers(keyring))).json()
    removed_provider = (await visitor.client.delete(f"{path}/{provider_id}", headers=admin_headers(keyring))).json()

    assert listed_provider == provider == removed_provider
    assert provider["domains"] == [{"domain": DOMAIN}]
    response = await visitor.client.get(f"{path}/{provider_id}", headers=admin_headers(keyring))
    assert error_of(response) == (404, "sso_provider_not_found")
    assert error_of(await start_sso(visitor, domain=DOMAIN)) == (404, "sso_provider_not_found")
    assert error_of(await visitor.user(fragment)) == (403, "session_not_found")


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ("", "not XML"),
        ("<x/>", "does not describe an identity provider"),
        (IDENTITY_PROVIDER.metadata.replace("HTTP-Redirect", "HTTP-POST"), "no URL to redirect to"),
        (IDENTITY_PROVIDER.metadata.replace('use="signing"', 'use="encryption"'), "no signing certificate"),
        (IDENTITY_PROVIDER.metadata.replace("X509Certificate>MII", "X509Certificate>!!!"), "malformed certificate"),
    ],
    # The metadata contains a new certificate in each test process, so it cannot be part of the name.
    ids=["empty", "other XML", "no redirect", "no signing certificate", "malformed certificate"],
)
async def test_unusable_metadata_is_refused_with_the_reason(
    visitor: Visitor, keyring: Keyring, metadata: str, reason: str
) -> None:
    response = await add_provider(visitor, keyring, metadata_xml=metadata)

    assert error_of(response) == (400, "validation_failed")
    assert reason in response.json()["message"]


async def test_our_metadata_names_our_endpoints(visitor: Visitor, settings: AuthSettings) -> None:
    metadata = await visitor.client.get("/sso/saml/metadata", headers={"apikey": ""})

    assert f'entityID="{settings.issuer}/sso/saml/metadata"' in metadata.text
    assert f'Location="{settings.issuer}/sso/saml/acs"' in metadata.text


@pytest.mark.accept("AUTH-17")
async def test_saml_requests_are_refused_if_saml_is_disabled(database: Database, settings: AuthSettings) -> None:
    settings_without_saml = settings.model_copy(update={"saml": False})
    async with open_visitor(database, Keyring(settings_without_saml), settings_without_saml) as visitor:
        responses = [
            await start_sso(visitor, domain=DOMAIN),
            await add_provider(visitor, Keyring(settings_without_saml), metadata_xml=IDENTITY_PROVIDER.metadata),
            await visitor.client.get("/sso/saml/metadata", headers=API_VERSION_HEADER),
            await visitor.client.post("/sso/saml/acs", headers=API_VERSION_HEADER),
        ]
        is_enabled = (await visitor.client.get("/settings")).json()["saml_enabled"]

    assert {error_of(response) for response in responses} == {(404, "saml_provider_disabled")}
    assert responses[0].json()["message"] == "SAML 2.0 is disabled"
    assert is_enabled is False


@pytest.mark.usefixtures("provider_id")
async def test_a_saml_flow_cannot_be_finished_through_the_oauth_callback(visitor: Visitor) -> None:
    form = IDENTITY_PROVIDER.response_form(json_of(await start_sso(visitor, domain=DOMAIN))["url"], BEA)

    response = await visitor.client.get("/callback", params={"code": "x", "state": form["RelayState"]})

    assert "error_code=bad_oauth_state" in response.headers["location"]
    assert "access_token" in fragment_parameters(await post_saml_response(visitor, form)), (
        "the flow can still be finished"
    )
