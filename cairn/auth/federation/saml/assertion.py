"""Whether an identity provider's answer is to be believed, and what it says then."""

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from lxml import etree
from signxml.algorithms import DigestAlgorithm, SignatureMethod
from signxml.exceptions import InvalidInput, SignXMLException
from signxml.verifier import SignatureConfiguration, XMLVerifier

from cairn.auth.federation.saml.xml import NAMES, Unreadable, parsed, tag, words

SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
CLOCK_SKEW = timedelta(seconds=60)
# No SHA-1, and nothing with a shared secret: the certificate is public.
TRUSTED = SignatureConfiguration(
    signature_methods=frozenset({
        SignatureMethod.RSA_SHA256, SignatureMethod.RSA_SHA384, SignatureMethod.RSA_SHA512,
        SignatureMethod.ECDSA_SHA256, SignatureMethod.ECDSA_SHA384, SignatureMethod.ECDSA_SHA512,
    }),
    digest_algorithms=frozenset({DigestAlgorithm.SHA256, DigestAlgorithm.SHA384, DigestAlgorithm.SHA512}),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expected:
    """What an answer must say about itself: who made it, for whom, and to which question."""

    entity_id: str
    certificates: Sequence[str]
    audience: str
    recipient: str
    request_id: str


@dataclass(frozen=True, slots=True)
class Assertion:
    name_id: str
    name_id_format: str
    attributes: dict[str, str]


def believed(response: str, expected: Expected, now: datetime) -> Assertion:
    """Only what the signature covers is read; raises `Unreadable` with the reason for anything else."""
    try:
        document = b64decode(response, validate=True)
    except ValueError as malformed:
        raise Unreadable("it is not base64") from malformed
    root = parsed(document)
    _check_status(root)
    assertion = _assertion(_signed(root, expected.certificates))
    if words(assertion.find("saml:Issuer", NAMES)) != expected.entity_id:
        raise Unreadable("somebody else issued it")
    _check_conditions(assertion, expected, now)
    _check_subject(assertion, expected, now)
    name_id = assertion.find("saml:Subject/saml:NameID", NAMES)
    if name_id is None or not words(name_id):
        raise Unreadable("it names nobody")
    return Assertion(words(name_id), name_id.get("Format") or "", _attributes(assertion))


def _check_status(root: etree._Element) -> None:
    status = root.find("samlp:Status/samlp:StatusCode", NAMES)
    if root.tag != tag("samlp", "Response") or status is None:
        raise Unreadable("it is no response")
    if status.get("Value") != SUCCESS:
        raise Unreadable("the identity provider did not sign this person in")


def _signed(root: etree._Element, certificates: Sequence[str]) -> etree._Element:
    """The signed element itself, as the signature saw it: the rest of the document may be anybody's."""
    for certificate in certificates:
        try:
            verified = XMLVerifier().verify(root, x509_cert=certificate, expect_config=TRUSTED)
        except (SignXMLException, InvalidInput, ValueError, etree.LxmlError):
            continue
        signed = None if isinstance(verified, list) else verified.signed_xml
        if signed is not None:
            return signed
    raise Unreadable("its signature is not of a key we know")


def _assertion(signed: etree._Element) -> etree._Element:
    if signed.tag == tag("saml", "Assertion"):
        return signed
    inside = signed.findall("saml:Assertion", NAMES) if signed.tag == tag("samlp", "Response") else []
    if len(inside) != 1:
        raise Unreadable("what is signed holds no assertion, or several, or an encrypted one")
    return inside[0]


def _check_conditions(assertion: etree._Element, expected: Expected, now: datetime) -> None:
    conditions = assertion.find("saml:Conditions", NAMES)
    if conditions is None:
        raise Unreadable("it holds under no conditions")
    _check_times(conditions, now)
    audiences = conditions.findall("saml:AudienceRestriction/saml:Audience", NAMES)
    if expected.audience not in [words(audience) for audience in audiences]:
        raise Unreadable("it was made for somebody else")


def _check_subject(assertion: etree._Element, expected: Expected, now: datetime) -> None:
    """The bearer must bring it to us, in time, as the answer to the question we asked."""
    for confirmation in assertion.findall("saml:Subject/saml:SubjectConfirmation", NAMES):
        data = confirmation.find("saml:SubjectConfirmationData", NAMES)
        if confirmation.get("Method") != BEARER or data is None or data.get("NotOnOrAfter") is None:
            continue
        if (data.get("Recipient"), data.get("InResponseTo")) != (expected.recipient, expected.request_id):
            continue
        _check_times(data, now)
        return
    raise Unreadable("it answers another question")


def _check_times(element: etree._Element, now: datetime) -> None:
    begins, ends = element.get("NotBefore"), element.get("NotOnOrAfter")
    if begins is not None and now + CLOCK_SKEW < _moment(begins):
        raise Unreadable("it is not valid yet")
    if ends is not None and now - CLOCK_SKEW >= _moment(ends):
        raise Unreadable("it is not valid any more")


def _moment(written: str) -> datetime:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError as malformed:
        raise Unreadable("a time in it cannot be read") from malformed
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _attributes(assertion: etree._Element) -> dict[str, str]:
    """By name and by friendly name; of several values the first."""
    found: dict[str, str] = {}
    for attribute in assertion.iterfind("saml:AttributeStatement/saml:Attribute", NAMES):
        value = words(attribute.find("saml:AttributeValue", NAMES))
        for name in (attribute.get("Name"), attribute.get("FriendlyName")):
            if name and value:
                found.setdefault(name, value)
    return found
