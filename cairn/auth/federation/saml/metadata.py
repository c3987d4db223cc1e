"""Reads the SAML metadata of identity providers, and writes our own."""

from base64 import b64decode
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from lxml import etree

from cairn.auth.federation.saml.xml import NAMESPACES, SamlError, parse_xml, tag, text_of
from cairn.kit import frozen_dataclass

REDIRECT_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
POST_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"


@frozen_dataclass
class IdpMetadata:
    entity_id: str
    sso_url: str
    certificates: tuple[str, ...]


def parse_metadata(metadata: str) -> IdpMetadata:
    """Reads the metadata of an identity provider. Raises `SamlError` if something that we need is missing."""
    root = parse_xml(metadata.encode())
    entity_id = root.get("entityID")
    descriptor = root.find("md:IDPSSODescriptor", NAMESPACES)
    if not entity_id or descriptor is None:
        raise SamlError("it does not describe an identity provider")
    services = descriptor.findall("md:SingleSignOnService", NAMESPACES)
    urls = [service.get("Location") or "" for service in services if service.get("Binding") == REDIRECT_BINDING]
    if not urls or urlsplit(urls[0]).scheme not in ("http", "https"):
        raise SamlError("it has no URL to redirect to")
    keys = [key for key in descriptor.findall("md:KeyDescriptor", NAMESPACES) if key.get("use") in (None, "signing")]
    certificates = [
        _pem(text_of(element)) for key in keys for element in key.iterfind(".//ds:X509Certificate", NAMESPACES)
    ]
    if not certificates:
        raise SamlError("it contains no signing certificate")
    return IdpMetadata(entity_id, urls[0], tuple(dict.fromkeys(certificates)))


def _pem(encoded: str) -> str:
    try:
        certificate = x509.load_der_x509_certificate(b64decode("".join(encoded.split()), validate=True))
    except ValueError as error:
        raise SamlError("it contains a malformed certificate") from error
    return certificate.public_bytes(Encoding.PEM).decode()


def service_provider_metadata(entity_id: str, acs_url: str) -> bytes:
    """Returns the document that the administrator of an identity provider imports there."""
    document = etree.Element(tag("md", "EntityDescriptor"), {"entityID": entity_id}, nsmap={"md": NAMESPACES["md"]})
    descriptor = etree.SubElement(
        document,
        tag("md", "SPSSODescriptor"),
        {
            "AuthnRequestsSigned": "false",
            "WantAssertionsSigned": "true",
            "protocolSupportEnumeration": NAMESPACES["samlp"],
        },
    )
    endpoint = {"Binding": POST_BINDING, "Location": acs_url, "index": "0", "isDefault": "true"}
    etree.SubElement(descriptor, tag("md", "AssertionConsumerService"), endpoint)
    return etree.tostring(document, xml_declaration=True, encoding="utf-8")
