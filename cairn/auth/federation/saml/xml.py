"""Parses untrusted XML without entities and network access. Comments are removed, because they can split a text."""

from typing import Any

from lxml import etree

NAMESPACES = {
    "saml": "urn:oasis:names:tc:SAML:2.0:assertion",
    "samlp": "urn:oasis:names:tc:SAML:2.0:protocol",
    "md": "urn:oasis:names:tc:SAML:2.0:metadata",
    "ds": "http://www.w3.org/2000/09/xmldsig#",
}


class SamlError(ValueError):
    """A SAML document is malformed or not trusted. The text is the reason."""


def parse_xml(document: bytes) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(document, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SamlError("it is not XML") from error
    document_info: Any = root.getroottree().docinfo
    if document_info.doctype:
        raise SamlError("it declares a document type")
    return root


def tag(prefix: str, name: str) -> str:
    return f"{{{NAMESPACES[prefix]}}}{name}"


def text_of(element: etree._Element | None) -> str:
    return "" if element is None else "".join(str(text) for text in element.itertext()).strip()
