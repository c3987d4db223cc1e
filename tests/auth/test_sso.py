"""Signing in through a company's own identity provider, which signs what it says with a key of its own."""

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
from tests.auth.conftest import visiting
from tests.auth.oauth_flow import VERIFIER, exchange, facts
from tests.auth.visitor import NEWER, Visitor, refusal, session_of
from tests.cast import Person
from tests.external.saml import SamlElsewhere, new_pair

BEA = "bea@rio-rafting.example"
DOMAIN = "rio-rafting.example"
IDP = SamlElsewhere()


@pytest.fixture
def settings(settings: AuthSettings) -> AuthSettings:
    return settings.model_copy(update={"saml": True})


@pytest_asyncio.fixture
async def provider_id(visitor: Visitor, keyring: Keyring) -> str:
    """Set up by the operator."""
    added = await register(visitor, keyring, metadata_xml=IDP.metadata, domains=[DOMAIN])
    assert added.status_code == 201, added.text
    return str(added.json()["id"])


async def register(visitor: Visitor, keyring: Keyring, **body: Any) -> httpx.Response:
    return await visitor.client.post("/admin/sso/providers", json={"type": "saml", **body}, headers=admin(keyring))


def admin(keyring: Keyring) -> dict[str, str]:
    return {**NEWER, "Authorization": f"Bearer {keyring.service_key}"}


async def ask(visitor: Visitor, **asked: Any) -> httpx.Response:
    body = {"skip_http_redirect": True, "gotrue_meta_security": {}, "code_challenge": None, **asked}
    return await visitor.client.post("/sso", json=body, headers=NEWER)


async def post_back(visitor: Visitor, form: dict[str, str]) -> str:
    """As a browser does, which has no project key."""
    answer = await visitor.client.post("/sso/saml/acs", data=form, headers={"apikey": ""})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def sign_in(visitor: Visitor, email: str = BEA, **lie: Any) -> dict[str, str]:
    address = session_of(await ask(visitor, domain=DOMAIN))["url"]
    return facts(await post_back(visitor, IDP.answer(address, email, **lie)))


@pytest.mark.accept("AUTH-17")
async def test_a_configured_domain_is_answered_with_its_providers_address(visitor: Visitor, provider_id: str) -> None:
    by_domain = session_of(await ask(visitor, domain="Rio-Rafting.example"))["url"]
    by_id = session_of(await ask(visitor, provider_id=provider_id))["url"]

    assert by_domain.startswith("https://idp.rio-rafting.example/saml/sso?SAMLRequest=")
    assert urlsplit(by_id).netloc == "idp.rio-rafting.example"
    unknown = await ask(visitor, domain="rapid-rivals.example")
    assert refusal(unknown) == (404, "sso_provider_not_found")
    assert unknown.json()["message"] == "No SSO provider assigned for this domain"
    assert refusal(await ask(visitor, provider_id=str(uuid4()))) == (404, "sso_provider_not_found")
    assert refusal(await ask(visitor, provider_id="no uuid")) == (404, "sso_provider_not_found")
    for neither_nor_both in ({}, {"domain": DOMAIN, "provider_id": provider_id}):
        assert refusal(await ask(visitor, **neither_nor_both)) == (400, "validation_failed")
    redirected = await ask(visitor, domain=DOMAIN, skip_http_redirect=False)
    assert redirected.status_code == 303


@pytest.mark.parametrize("sign", ["Assertion", "Response"])
async def test_whoever_the_provider_vouches_for_gets_in(
    visitor: Visitor, provider_id: str, keyring: Keyring, sign: str
) -> None:
    first, again = await sign_in(visitor, sign=sign), await sign_in(visitor, sign=sign)

    user = session_of(await visitor.user(first))
    assert user["email"] == BEA
    assert user["email_confirmed_at"]
    assert user["user_metadata"]["name"] == "Bea"
    assert user["app_metadata"]["provider"] == f"sso:{provider_id}"
    assert session_of(await visitor.user(again))["id"] == user["id"]
    [method] = keyring.principal(first["access_token"]).claims["amr"]
    assert (method["method"], method["provider"]) == ("sso/saml", f"sso:{provider_id}")


async def test_people_join_the_company_their_provider_belongs_to(
    visitor: Visitor, keyring: Keyring, database: Database, rosa: Person
) -> None:
    added = await register(
        visitor, keyring, metadata_xml=IDP.metadata, domains=[DOMAIN], company_id=str(rosa.company_id)
    )
    assert added.status_code == 201

    await sign_in(visitor)

    async with database.acting_as(SERVICE) as connection:
        company = await connection.fetchval("select company_id from profiles where email = $1", BEA)
    assert company == rosa.company_id


@pytest.mark.usefixtures("provider_id")
async def test_the_code_form_works_as_with_google(visitor: Visitor) -> None:
    asked = {"domain": DOMAIN, "code_challenge": s256(VERIFIER), "code_challenge_method": "s256"}
    address = session_of(await ask(visitor, **asked))["url"]

    landed = await post_back(visitor, IDP.answer(address, BEA))

    code = parse_qs(urlsplit(landed).query)["code"][0]
    assert refusal(await exchange(visitor, code, "b" * 112)) == (400, "bad_code_verifier")
    assert session_of(await exchange(visitor, code))["user"]["email"] == BEA


@pytest.mark.usefixtures("provider_id")
@pytest.mark.parametrize(
    ("lie", "reason"),
    [
        ({"sign": "nothing"}, "signature"),
        ({"key": new_pair()}, "signature"),
        ({"issuer": "https://mallory.example"}, "somebody else issued it"),
        ({"audience": "https://mallory.example"}, "made for somebody else"),
        ({"recipient": "https://mallory.example/acs"}, "another question"),
        ({"in_response_to": "id-of-another-request"}, "another question"),
        ({"not_after": "2020-01-01T00:00:00Z"}, "not valid any more"),
        ({"not_before": "2099-01-01T00:00:00Z"}, "not valid yet"),
        ({"not_after": "soon"}, "a time in it"),
        ({"status": "urn:oasis:names:tc:SAML:2.0:status:Responder"}, "did not sign this person in"),
        ({"name_id": ""}, "names nobody"),
    ],
    ids=lambda part: next(iter(part)) if isinstance(part, dict) else "",
)
async def test_an_answer_that_is_not_to_be_believed_lets_nobody_in(
    visitor: Visitor, lie: dict[str, Any], reason: str
) -> None:
    landed = await sign_in(visitor, **lie)

    assert landed["error_code"] == "saml_assertion_invalid"
    assert reason in landed["error_description"]
    assert "access_token" not in landed


@pytest.mark.usefixtures("provider_id")
async def test_a_signed_answer_with_another_wrapped_around_it_is_not_believed(visitor: Visitor) -> None:
    """The signature is genuine, but what a careless reader finds first is not what was signed."""
    address = session_of(await ask(visitor, domain=DOMAIN))["url"]
    form = IDP.answer(address, BEA)
    genuine = b64decode(form["SAMLResponse"]).decode()
    assertion = genuine[
        genuine.index("<saml:Assertion") : genuine.index("</saml:Assertion>") + len("</saml:Assertion>")
    ]
    forged = assertion.replace("employee-bea", "employee-boss").replace('ID="assertion"', 'ID="forged"')
    forged = (
        forged[: forged.index("<ds:Signature")] + forged[forged.index("</ds:Signature>") + len("</ds:Signature>") :]
    )
    wrapped = genuine.replace(assertion, forged + assertion)

    landed = facts(await post_back(visitor, {**form, "SAMLResponse": b64encode(wrapped.encode()).decode()}))

    user = session_of(await visitor.user(landed))
    assert user["identities"][0]["id"] == "employee-bea"


@pytest.mark.usefixtures("provider_id")
async def test_an_answer_counts_once_and_only_when_it_was_asked_for(visitor: Visitor) -> None:
    address = session_of(await ask(visitor, domain=DOMAIN))["url"]
    form = IDP.answer(address, BEA)

    assert "access_token" in facts(await post_back(visitor, form))
    for unexpected in (form, {**form, "RelayState": ""}, {**form, "RelayState": str(uuid4())}, {}):
        assert facts(await post_back(visitor, unexpected))["error_code"] == "bad_oauth_state"


@pytest.mark.usefixtures("provider_id")
@pytest.mark.parametrize("document", ["", "!", "PHg+", b64encode(b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>").decode()])
async def test_what_is_no_answer_at_all_is_refused(visitor: Visitor, document: str) -> None:
    address = session_of(await ask(visitor, domain=DOMAIN))["url"]
    form = {**IDP.answer(address, BEA), "SAMLResponse": document}

    assert facts(await post_back(visitor, form))["error_code"] == "saml_assertion_invalid"


@pytest.mark.usefixtures("provider_id")
async def test_a_provider_is_not_believed_about_addresses_of_others(visitor: Visitor) -> None:
    gil = session_of(await visitor.sign_up("gil@example.com"))

    landed = await sign_in(visitor, "gil@example.com")

    assert landed["error_code"] == "provider_email_needs_verification"
    assert session_of(await visitor.user(gil))["identities"][0]["provider"] == "email"


@pytest.mark.usefixtures("provider_id")
async def test_a_name_for_one_day_is_not_taken_for_the_person(visitor: Visitor) -> None:
    transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"

    first = await sign_in(visitor, name_id="x1", name_id_format=transient)
    again = await sign_in(visitor, name_id="x2", name_id_format=transient)

    ids = [session_of(await visitor.user(landed))["id"] for landed in (first, again)]
    assert ids[0] == ids[1]


async def test_providers_are_the_operators_affair(visitor: Visitor, keyring: Keyring, provider_id: str) -> None:
    stranger = {**NEWER, "Authorization": f"Bearer {keyring.anon_key}"}
    address = "/admin/sso/providers"
    assert refusal(await visitor.client.get(address, headers=stranger)) == (403, "not_admin")
    assert refusal(await visitor.client.get(address, headers=NEWER)) == (401, "no_authorization")
    assert refusal(await register(visitor, keyring, metadata_xml=IDP.metadata)) == (422, "sso_domain_already_exists")
    other = SamlElsewhere("https://other.example").metadata
    taken = await register(visitor, keyring, metadata_xml=other, domains=[DOMAIN])
    assert refusal(taken) == (422, "sso_domain_already_exists")
    homeless = await register(visitor, keyring, metadata_xml=other, company_id=str(uuid4()))
    assert refusal(homeless) == (400, "validation_failed")
    landed = await sign_in(visitor)

    [listed] = (await visitor.client.get(address, headers=admin(keyring))).json()["items"]
    one = (await visitor.client.get(f"{address}/{provider_id}", headers=admin(keyring))).json()
    removed = (await visitor.client.delete(f"{address}/{provider_id}", headers=admin(keyring))).json()

    assert listed == one == removed
    assert one["domains"] == [{"domain": DOMAIN}]
    gone = await visitor.client.get(f"{address}/{provider_id}", headers=admin(keyring))
    assert refusal(gone) == (404, "sso_provider_not_found")
    assert refusal(await ask(visitor, domain=DOMAIN)) == (404, "sso_provider_not_found")
    assert refusal(await visitor.user(landed)) == (403, "session_not_found")


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ("", "no XML"),
        ("<x/>", "no identity provider"),
        (IDP.metadata.replace("HTTP-Redirect", "HTTP-POST"), "no address to redirect to"),
        (IDP.metadata.replace('use="signing"', 'use="encryption"'), "names no certificate"),
        (IDP.metadata.replace("X509Certificate>MII", "X509Certificate>!!!"), "certificate in it"),
    ],
)
async def test_metadata_that_cannot_be_used_is_refused_with_the_reason(
    visitor: Visitor, keyring: Keyring, metadata: str, reason: str
) -> None:
    answer = await register(visitor, keyring, metadata_xml=metadata)

    assert refusal(answer) == (400, "validation_failed")
    assert reason in answer.json()["message"]


async def test_we_describe_ourselves(visitor: Visitor, settings: AuthSettings) -> None:
    about = await visitor.client.get("/sso/saml/metadata", headers={"apikey": ""})

    assert f'entityID="{settings.issuer}/sso/saml/metadata"' in about.text
    assert f'Location="{settings.issuer}/sso/saml/acs"' in about.text


@pytest.mark.accept("AUTH-17")
async def test_where_saml_is_off_it_says_so(database: Database, settings: AuthSettings) -> None:
    closed = settings.model_copy(update={"saml": False})
    async with visiting(database, Keyring(closed), closed) as visitor:
        answers = [
            await ask(visitor, domain=DOMAIN),
            await register(visitor, Keyring(closed), metadata_xml=IDP.metadata),
            await visitor.client.get("/sso/saml/metadata", headers=NEWER),
            await visitor.client.post("/sso/saml/acs", headers=NEWER),
        ]
        offered = (await visitor.client.get("/settings")).json()["saml_enabled"]

    assert {refusal(answer) for answer in answers} == {(404, "saml_provider_disabled")}
    assert answers[0].json()["message"] == "SAML 2.0 is disabled"
    assert offered is False


@pytest.mark.usefixtures("provider_id")
async def test_an_answer_comes_in_by_its_own_door(visitor: Visitor) -> None:
    """What left for the identity provider does not come back as from Google."""
    form = IDP.answer(session_of(await ask(visitor, domain=DOMAIN))["url"], BEA)

    crossed = await visitor.client.get("/callback", params={"code": "x", "state": form["RelayState"]})

    assert "error_code=bad_oauth_state" in crossed.headers["location"]
    assert "access_token" in facts(await post_back(visitor, form)), "and was not used up by the attempt"
