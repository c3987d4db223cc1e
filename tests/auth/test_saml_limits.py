"""10A1: a stranger can post any document as the response of an identity provider, so parsing it must not cost much.

10A1 is a finding in docs/security.md.
"""

from base64 import b64decode, b64encode
from typing import Any

import pytest
import pytest_asyncio
from lxml import etree
from signxml.verifier import XMLVerifier

from cairn.auth import AuthSettings, Keyring
from cairn.auth.federation.saml import SamlError
from cairn.auth.federation.saml.xml import parse_xml
from tests.auth.oauth_flow import fragment_parameters
from tests.auth.test_sso import (
    BEA,
    DOMAIN,
    IDENTITY_PROVIDER,
    add_provider,
    post_saml_response,
    start_sso,
)
from tests.auth.visitor import Visitor, error_of, json_of
from tests.external.saml import ASSERTION_NAMESPACE

TOO_MANY = "it has too many elements, attributes or namespaces"
TRANSFORM = '<ds:Transform xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Algorithm="a"/>'
# Active Directory and Shibboleth declare these namespaces again in each value.
GROUP = (
    f'<saml:AttributeValue xmlns:saml="{ASSERTION_NAMESPACE}" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">group {}</saml:AttributeValue>'
)


@pytest.fixture
def settings(settings: AuthSettings) -> AuthSettings:
    return settings.model_copy(update={"saml": True})


@pytest_asyncio.fixture
async def response_form(visitor: Visitor, keyring: Keyring) -> dict[str, str]:
    added = await add_provider(visitor, keyring, metadata_xml=IDENTITY_PROVIDER.metadata, domains=[DOMAIN])
    assert added.status_code == 201, added.text
    return IDENTITY_PROVIDER.response_form(json_of(await start_sso(visitor, domain=DOMAIN))["url"], BEA)


def with_namespaces(document: bytes, count: int) -> bytes:
    namespaces = "".join(f' xmlns:n{number:x}="u:{number:x}"' for number in range(count))
    return document.replace(b"<samlp:Response", b"<samlp:Response" + namespaces.encode(), 1)


async def test_10a1_a_response_with_thousands_of_namespaces_is_refused_before_its_signature_is_verified(
    visitor: Visitor, response_form: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    verified: list[Any] = []
    monkeypatch.setattr(XMLVerifier, "verify", lambda *_, **__: verified.append(1))
    document = with_namespaces(b64decode(response_form["SAMLResponse"]), 20_000)

    fragment = fragment_parameters(
        await post_saml_response(visitor, {**response_form, "SAMLResponse": b64encode(document).decode()})
    )

    assert TOO_MANY in fragment["error_description"]
    assert verified == []


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("<a" + "".join(f' xmlns:n{number}="u"' for number in range(1_001)) + "/>", TOO_MANY),
        ("<a" + "".join(f' a{number}=""' for number in range(5_001)) + "/>", TOO_MANY),
        ("<a>" + "<b/>" * 5_000 + "</a>", TOO_MANY),
        ("<a>" + "text " * 100_000 + "</a>", "it is too large"),
        ("<a>" + TRANSFORM * 9 + "</a>", "its signature has too many transforms"),
    ],
    ids=["namespaces", "attributes", "elements", "bytes", "transforms"],
)
def test_10a1_a_document_that_takes_long_to_canonicalize_is_refused(document: str, reason: str) -> None:
    with pytest.raises(SamlError, match=reason):
        parse_xml(document.encode())


@pytest.mark.parametrize(
    "document",
    [
        '<?xml version="1.0" encoding="utf-16"?><a/>'.encode("utf-16"),
        '<?xml version="1.0" encoding="ibm037"?><a/>'.encode("cp037"),
        b'<?xml version="1.0" encoding="utf-7"?>+ADw-a/+AD4-',
    ],
    ids=["utf-16", "ebcdic", "utf-7"],
)
def test_10a1_elements_cannot_be_hidden_in_another_encoding(document: bytes) -> None:
    with pytest.raises(SamlError, match="it is not XML"):
        parse_xml(document)


async def test_10a1_metadata_with_thousands_of_namespaces_is_refused(visitor: Visitor, keyring: Keyring) -> None:
    namespaces = "".join(f' xmlns:n{number}="u"' for number in range(1_001))
    metadata = IDENTITY_PROVIDER.metadata.replace("<md:EntityDescriptor", "<md:EntityDescriptor" + namespaces)

    response = await add_provider(visitor, keyring, metadata_xml=metadata)

    assert error_of(response) == (400, "validation_failed")
    assert TOO_MANY in response.json()["message"]


@pytest.mark.usefixtures("response_form")  # this fixture adds the identity provider
async def test_10a1_a_user_with_300_groups_signs_in(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    unsigned = IDENTITY_PROVIDER._response

    def with_groups(*arguments: Any) -> str:
        groups = "".join(GROUP.format(number) for number in range(300))
        statement = f'<saml:AttributeStatement><saml:Attribute Name="groups">{groups}</saml:Attribute>'
        return unsigned(*arguments).replace("<saml:AttributeStatement>", statement)

    monkeypatch.setattr(IDENTITY_PROVIDER, "_response", with_groups)
    form = IDENTITY_PROVIDER.response_form(json_of(await start_sso(visitor, domain=DOMAIN))["url"], BEA)
    assert (
        len(etree.fromstring(b64decode(form["SAMLResponse"])).findall(f".//{{{ASSERTION_NAMESPACE}}}AttributeValue"))
        > 300
    )

    assert "access_token" in fragment_parameters(await post_saml_response(visitor, form))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_document_may_begin_with_a_byte_order_mark(mark: str) -> None:
    assert parse_xml(f'{mark}<?xml version="1.0" encoding="UTF-8"?><a>é</a>'.encode()).text == "é"
