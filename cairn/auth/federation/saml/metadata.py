"""What an identity provider publishes about itself, and what we publish about us."""

from base64 import b64decode
from dataclasses import dataclass
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from lxml import etree

from cairn.auth.federation.saml.xml import NAMES, Unreadable, parsed, tag, words

REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"


@dataclass(frozen=True, slots=True)
class Described:
    entity_id: str
    sso_url: str
    certificates: tuple[str, ...]


def described(metadata: str) -> Described:
    """Raises `Unreadable` when something is missing that signing in needs."""
    root = parsed(metadata.encode())
    entity_id = root.get("entityID")
    role = root.find("md:IDPSSODescriptor", NAMES)
    if not entity_id or role is None:
        raise Unreadable("it describes no identity provider")
    services = role.findall("md:SingleSignOnService", NAMES)
    addresses = [service.get("Location") or "" for service in services if service.get("Binding") == REDIRECT]
    if not addresses or urlsplit(addresses[0]).scheme not in ("http", "https"):
        raise Unreadable("it has no address to redirect to")
    keys = [key for key in role.findall("md:KeyDescriptor", NAMES) if key.get("use") in (None, "signing")]
    certificates = [_pem(words(found)) for key in keys for found in key.iterfind(".//ds:X509Certificate", NAMES)]
    if not certificates:
        raise Unreadable("it names no certificate to check signatures with")
    return Described(entity_id, addresses[0], tuple(dict.fromkeys(certificates)))


def _pem(encoded: str) -> str:
    try:
        certificate = x509.load_der_x509_certificate(b64decode("".join(encoded.split()), validate=True))
    except ValueError as malformed:
        raise Unreadable("a certificate in it cannot be read") from malformed
    return certificate.public_bytes(Encoding.PEM).decode()


def own_metadata(entity_id: str, acs_url: str) -> bytes:
    """For the identity provider's administrator to load."""
    document = etree.Element(tag("md", "EntityDescriptor"), {"entityID": entity_id}, nsmap={"md": NAMES["md"]})
    role = etree.SubElement(
        document,
        tag("md", "SPSSODescriptor"),
        {
            "AuthnRequestsSigned": "false",
            "WantAssertionsSigned": "true",
            "protocolSupportEnumeration": NAMES["samlp"],
        },
    )
    here = {"Binding": POST, "Location": acs_url, "index": "0", "isDefault": "true"}
    etree.SubElement(role, tag("md", "AssertionConsumerService"), here)
    return etree.tostring(document, xml_declaration=True, encoding="utf-8")
