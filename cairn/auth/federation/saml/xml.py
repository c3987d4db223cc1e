"""Parses untrusted XML without entities or network access. Comments are removed, because they can split a text."""

from typing import Any

from lxml import etree

NAMESPACES = {
    "saml": "urn:oasis:names:tc:SAML:2.0:assertion",
    "samlp": "urn:oasis:names:tc:SAML:2.0:protocol",
    "md": "urn:oasis:names:tc:SAML:2.0:metadata",
    "ds": "http://www.w3.org/2000/09/xmldsig#",
}


# Each namespace of an element is looked up among all namespaces of its parents before any signature is verified, so
# thousands of them would take seconds. The limits leave space for a user in 300 groups, each with three namespaces.
MAX_DOCUMENT_BYTES = 500_000
MAX_OCCURRENCES = {b"xmlns": 1_000, b"=": 5_000, b"<": 5_000}
# An assertion and the response around it can both be signed, with two transforms each. Each of them can canonicalize
# the whole document again.
MAX_TRANSFORMS = 8


class SamlError(ValueError):
    """A SAML document is malformed or not trusted. The text is the reason."""


def parse_xml(document: bytes) -> etree._Element:
    _check_size(document)
    # In another encoding, the parser would see more elements than were counted.
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(document, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SamlError("it is not XML") from error
    document_info: Any = root.getroottree().docinfo
    if document_info.doctype:
        raise SamlError("it declares a document type")
    if len(list(root.iter(tag("ds", "Transform")))) > MAX_TRANSFORMS:
        raise SamlError("its signature has too many transforms")
    return root


def _check_size(document: bytes) -> None:
    """Limits the elements, attributes and namespaces before the document is parsed.

    None of them can be written without these characters, so counting the characters is enough.
    """
    if len(document) > MAX_DOCUMENT_BYTES:
        raise SamlError("it is too large")
    if any(document.count(text) > limit for text, limit in MAX_OCCURRENCES.items()):
        raise SamlError("it has too many elements, attributes or namespaces")


def tag(prefix: str, name: str) -> str:
    return f"{{{NAMESPACES[prefix]}}}{name}"


def text_of(element: etree._Element | None) -> str:
    return "" if element is None else "".join(str(text) for text in element.itertext()).strip()
