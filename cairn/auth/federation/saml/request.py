import zlib
from base64 import b64encode
from datetime import datetime
from urllib.parse import urlencode, urlsplit

from lxml import etree

from cairn.auth.federation.saml.metadata import POST_BINDING
from cairn.auth.federation.saml.xml import NAMESPACES, tag


def login_url(sso_url: str, *, entity_id: str, acs_url: str, request_id: str, relay_state: str, now: datetime) -> str:
    """Returns the URL of the provider's sign-in page, with our request in its query."""
    attributes = {
        "ID": request_id,
        "Version": "2.0",
        "IssueInstant": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "Destination": sso_url,
        "AssertionConsumerServiceURL": acs_url,
        "ProtocolBinding": POST_BINDING,
    }
    namespaces = {name: NAMESPACES[name] for name in ("samlp", "saml")}
    document = etree.Element(tag("samlp", "AuthnRequest"), attributes, nsmap=namespaces)
    etree.SubElement(document, tag("saml", "Issuer")).text = entity_id
    # The redirect binding requires raw deflate, which is zlib without its header and checksum.
    deflated = zlib.compress(etree.tostring(document))[2:-4]
    query = urlencode({"SAMLRequest": b64encode(deflated).decode(), "RelayState": relay_state})
    return f"{sso_url}{'&' if urlsplit(sso_url).query else '?'}{query}"
