"""A company's SAML identity provider. It posts signed responses, which tests can also falsify."""

import html
import zlib
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from lxml import etree
from signxml.algorithms import SignatureConstructionMethod
from signxml.signer import XMLSigner
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

PROTOCOL_NAMESPACE, ASSERTION_NAMESPACE = (
    "urn:oasis:names:tc:SAML:2.0:protocol",
    "urn:oasis:names:tc:SAML:2.0:assertion",
)
PERSISTENT_NAME_ID = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"


def new_key_pair() -> tuple[RSAPrivateKey, str]:
    """Returns a key and its self-signed certificate, as identity providers use them."""
    key, now = generate_private_key(65537, 2048), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "idp.rio-rafting.example")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .sign(key, SHA256())
    )
    return key, certificate.public_bytes(Encoding.PEM).decode()


@dataclass
class SamlProvider:
    url: str = "https://idp.rio-rafting.example"
    key_pair: tuple[RSAPrivateKey, str] = field(default_factory=new_key_pair)

    @property
    def metadata(self) -> str:
        certificate = "".join(self.key_pair[1].splitlines()[1:-1])
        return f"""
            <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{self.url}/saml/metadata">
              <md:IDPSSODescriptor protocolSupportEnumeration="{PROTOCOL_NAMESPACE}">
                <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
                  <ds:X509Certificate>{certificate}</ds:X509Certificate>
                </ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
                <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
                                        Location="{self.url}/saml/sso"/>
              </md:IDPSSODescriptor>
            </md:EntityDescriptor>""".strip()

    def response_form(
        self, url: str, email: str, *, signed_element: str = "Assertion", key: Any = None, **overrides: str
    ) -> dict[str, str]:
        """Returns the form that the browser posts to us after it was redirected to `url`."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        request = _decode_request(query["SAMLRequest"])
        response = etree.fromstring(self._response(request, email, overrides).encode())
        if signed_element != "nothing":
            response = self._sign(response, signed_element, key or self.key_pair)
        return {"SAMLResponse": b64encode(etree.tostring(response)).decode(), "RelayState": query["RelayState"]}

    def _response(self, request: etree._Element, email: str, overrides: dict[str, str]) -> str:
        now = datetime.now(UTC)
        consumer_url = request.get("AssertionConsumerServiceURL") or ""
        values = {
            "issuer": f"{self.url}/saml/metadata",
            "audience": request.findtext(f"{{{ASSERTION_NAMESPACE}}}Issuer") or "",
            "recipient": consumer_url,
            "in_response_to": request.get("ID") or "",
            "not_before": _timestamp(now - timedelta(minutes=1)),
            "not_after": _timestamp(now + timedelta(minutes=5)),
            "status": "urn:oasis:names:tc:SAML:2.0:status:Success",
            "name_id": f"employee-{email.partition('@')[0]}",
            "name_id_format": PERSISTENT_NAME_ID,
            **overrides,
        }
        return RESPONSE_TEMPLATE.format(
            **values, email=email, name=email.partition("@")[0].title(), now=_timestamp(now)
        )

    def _sign(self, response: etree._Element, element: str, key_pair: tuple[RSAPrivateKey, str]) -> etree._Element:
        signer = XMLSigner(
            method=SignatureConstructionMethod.enveloped, c14n_algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"
        )
        key, certificate = key_pair
        if element == "Response":
            return signer.sign(response, key=key, cert=certificate, reference_uri="response", id_attribute="ID")
        assertion = response.find(f"{{{ASSERTION_NAMESPACE}}}Assertion")
        assert assertion is not None
        signed = signer.sign(assertion, key=key, cert=certificate, reference_uri="assertion", id_attribute="ID")
        response.replace(assertion, signed)
        return response

    def routes(self) -> list[Route]:
        return [Route("/saml/metadata", self.get_metadata), Route("/saml/sso", self.get_sso)]

    async def get_metadata(self, _: Request) -> Response:
        return PlainTextResponse(self.metadata)

    async def get_sso(self, request: Request) -> Response:
        """Signs every visitor in as Bea."""
        form = self.response_form(str(request.url), "bea@rio-rafting.example")
        authn_request = _decode_request(request.query_params["SAMLRequest"])
        fields = "".join(f'<input name="{name}" value="{html.escape(value)}">' for name, value in form.items())
        action = html.escape(authn_request.get("AssertionConsumerServiceURL") or "")
        return HTMLResponse(f'<form method="post" action="{action}">{fields}<button>Continue as Bea</button></form>')


def _decode_request(saml_request: str) -> etree._Element:
    # -15 means raw deflate data without a header.
    return etree.fromstring(zlib.decompress(b64decode(saml_request), -15))


def _timestamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


RESPONSE_TEMPLATE = """<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"
    xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="response" Version="2.0" IssueInstant="{now}"
    Destination="{recipient}" InResponseTo="{in_response_to}">
  <saml:Issuer>{issuer}</saml:Issuer>
  <samlp:Status><samlp:StatusCode Value="{status}"/></samlp:Status>
  <saml:Assertion ID="assertion" Version="2.0" IssueInstant="{now}">
    <saml:Issuer>{issuer}</saml:Issuer>
    <saml:Subject>
      <saml:NameID Format="{name_id_format}">{name_id}</saml:NameID>
      <saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
        <saml:SubjectConfirmationData InResponseTo="{in_response_to}" Recipient="{recipient}"
                                      NotOnOrAfter="{not_after}"/>
      </saml:SubjectConfirmation>
    </saml:Subject>
    <saml:Conditions NotBefore="{not_before}" NotOnOrAfter="{not_after}">
      <saml:AudienceRestriction><saml:Audience>{audience}</saml:Audience></saml:AudienceRestriction>
    </saml:Conditions>
    <saml:AuthnStatement AuthnInstant="{now}"/>
    <saml:AttributeStatement>
      <saml:Attribute Name="mail"><saml:AttributeValue>{email}</saml:AttributeValue></saml:Attribute>
      <saml:Attribute Name="urn:oid:2.16.840.1.113730.3.1.241" FriendlyName="displayName">
        <saml:AttributeValue>{name}</saml:AttributeValue>
      </saml:Attribute>
    </saml:AttributeStatement>
  </saml:Assertion>
</samlp:Response>"""
