"""Verifies the response of an identity provider and reads its assertion."""

from base64 import b64decode
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from lxml import etree
from signxml.algorithms import DigestAlgorithm, SignatureMethod
from signxml.exceptions import InvalidInput, SignXMLException
from signxml.verifier import SignatureConfiguration, XMLVerifier

from cairn.auth.federation.saml.xml import NAMESPACES, SamlError, parse_xml, tag, text_of
from cairn.kit import frozen_dataclass

STATUS_SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
BEARER_METHOD = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
CLOCK_SKEW = timedelta(seconds=60)
# SHA-1 is not trusted, because it is too weak. HMAC is not trusted, because its key would be the public certificate.
TRUSTED_ALGORITHMS = SignatureConfiguration(
    signature_methods=frozenset({
        SignatureMethod.RSA_SHA256, SignatureMethod.RSA_SHA384, SignatureMethod.RSA_SHA512,
        SignatureMethod.ECDSA_SHA256, SignatureMethod.ECDSA_SHA384, SignatureMethod.ECDSA_SHA512,
    }),
    digest_algorithms=frozenset({DigestAlgorithm.SHA256, DigestAlgorithm.SHA384, DigestAlgorithm.SHA512}),
)  # fmt: skip


@frozen_dataclass
class ExpectedResponse:
    """The values that a response must contain, and the certificates of the keys that may sign it."""

    entity_id: str
    certificates: Sequence[str]
    audience: str
    recipient: str
    request_id: str


@frozen_dataclass
class Assertion:
    name_id: str
    name_id_format: str
    attributes: dict[str, str]


def verify_response(response: str, expected: ExpectedResponse, now: datetime) -> Assertion:
    """Returns the signed assertion. Raises `SamlError` with the reason if the response is not valid."""
    try:
        document = b64decode(response, validate=True)
    except ValueError as error:
        raise SamlError("it is not base64") from error
    root = parse_xml(document)
    _check_status(root)
    assertion = _find_assertion(_signed_element(root, expected.certificates))
    if text_of(assertion.find("saml:Issuer", NAMESPACES)) != expected.entity_id:
        raise SamlError("it has another issuer")
    _check_conditions(assertion, expected, now)
    _check_subject(assertion, expected, now)
    name_id = assertion.find("saml:Subject/saml:NameID", NAMESPACES)
    if name_id is None or not text_of(name_id):
        raise SamlError("it names no user")
    return Assertion(text_of(name_id), name_id.get("Format") or "", _attributes(assertion))


def _check_status(root: etree._Element) -> None:
    status = root.find("samlp:Status/samlp:StatusCode", NAMESPACES)
    if root.tag != tag("samlp", "Response") or status is None:
        raise SamlError("it is not a SAML response")
    if status.get("Value") != STATUS_SUCCESS:
        raise SamlError("the identity provider did not sign the user in")


def _signed_element(root: etree._Element, certificates: Sequence[str]) -> etree._Element:
    """Returns only the part that the signature covers. Anyone could have added the rest of the document."""
    for certificate in certificates:
        try:
            verification = XMLVerifier().verify(root, x509_cert=certificate, expect_config=TRUSTED_ALGORITHMS)
        except (SignXMLException, InvalidInput, ValueError, etree.LxmlError):
            continue
        signed_element = None if isinstance(verification, list) else verification.signed_xml
        if signed_element is not None:
            return signed_element
    raise SamlError("its signature does not match any known key")


def _find_assertion(signed_element: etree._Element) -> etree._Element:
    if signed_element.tag == tag("saml", "Assertion"):
        return signed_element
    is_response = signed_element.tag == tag("samlp", "Response")
    assertions = signed_element.findall("saml:Assertion", NAMESPACES) if is_response else []
    if len(assertions) != 1:
        raise SamlError("the signed part contains no assertion, several, or an encrypted one")
    return assertions[0]


def _check_conditions(assertion: etree._Element, expected: ExpectedResponse, now: datetime) -> None:
    conditions = assertion.find("saml:Conditions", NAMESPACES)
    if conditions is None:
        raise SamlError("it has no conditions")
    _check_times(conditions, now)
    audiences = conditions.findall("saml:AudienceRestriction/saml:Audience", NAMESPACES)
    if expected.audience not in [text_of(audience) for audience in audiences]:
        raise SamlError("it has another audience")


def _check_subject(assertion: etree._Element, expected: ExpectedResponse, now: datetime) -> None:
    """Requires a bearer confirmation for our endpoint and our request that has not expired."""
    for confirmation in assertion.findall("saml:Subject/saml:SubjectConfirmation", NAMESPACES):
        data = confirmation.find("saml:SubjectConfirmationData", NAMESPACES)
        if confirmation.get("Method") != BEARER_METHOD or data is None or data.get("NotOnOrAfter") is None:
            continue
        if (data.get("Recipient"), data.get("InResponseTo")) != (expected.recipient, expected.request_id):
            continue
        _check_times(data, now)
        return
    raise SamlError("it belongs to another request")


def _check_times(element: etree._Element, now: datetime) -> None:
    not_before, not_on_or_after = element.get("NotBefore"), element.get("NotOnOrAfter")
    if not_before is not None and now + CLOCK_SKEW < _parse_time(not_before):
        raise SamlError("it is not valid yet")
    if not_on_or_after is not None and now - CLOCK_SKEW >= _parse_time(not_on_or_after):
        raise SamlError("it has expired")


def _parse_time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError as error:
        raise SamlError("it contains a malformed time") from error
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time


def _attributes(assertion: etree._Element) -> dict[str, str]:
    """Returns the first value of each attribute, under its name and under its friendly name."""
    attributes: dict[str, str] = {}
    for attribute in assertion.iterfind("saml:AttributeStatement/saml:Attribute", NAMESPACES):
        value = text_of(attribute.find("saml:AttributeValue", NAMESPACES))
        for name in (attribute.get("Name"), attribute.get("FriendlyName")):
            if name and value:
                attributes.setdefault(name, value)
    return attributes
