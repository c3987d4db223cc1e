"""Documents of strangers: no entities, no network, no comments that split a text in two."""

from typing import Any

from lxml import etree

NAMES = {
    "saml": "urn:oasis:names:tc:SAML:2.0:assertion",
    "samlp": "urn:oasis:names:tc:SAML:2.0:protocol",
    "md": "urn:oasis:names:tc:SAML:2.0:metadata",
    "ds": "http://www.w3.org/2000/09/xmldsig#",
}


class Unreadable(ValueError):
    """Not a document we would read."""


def parsed(document: bytes) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(document, parser)
    except (etree.XMLSyntaxError, ValueError) as malformed:
        raise Unreadable("it is no XML") from malformed
    about: Any = root.getroottree().docinfo
    if about.doctype:
        raise Unreadable("it declares a document type")
    return root


def tag(prefix: str, name: str) -> str:
    return f"{{{NAMES[prefix]}}}{name}"


def words(element: etree._Element | None) -> str:
    return "" if element is None else "".join(str(text) for text in element.itertext()).strip()
