"""Derives a signature from an earlier one. This takes a quarter of the time that pyHanko needs to build one.

A PDF signature is a CMS structure: the certificate, the signed attributes (among them the digest of the document) and
the signature value over these attributes. pyHanko builds and encodes the whole structure for every document, which
costs about as much CPU time as rendering the pages. Yet between two documents of the same seal only two parts differ,
the digest and the signature value, and both have a fixed length. Therefore pyHanko builds only the first signature.
Each later one is a copy of its bytes, in which the digest and the signature value are replaced.

This is correct only as long as everything else in the structure is the same for every document:

- The digest occurs exactly once in the structure and once in the attributes; the constructor checks that.
- The signature value keeps its length, because the length fields around it are copied too. ECDSA values vary between
  70 and 72 bytes, so `sign` signs again until the length fits.
- Nothing else may depend on the document or on the time. That is why signatures with an external timestamp are always
  built by pyHanko (see `TemplateSigner`). The time of sealing is not affected: PAdES stores it in the PDF, not in here.

The row "seal with the signature template" of bench/documents.py fails when the template is no longer clearly faster.
"""

from collections.abc import Callable

from asn1crypto import cms


class SignatureTemplate:
    def __init__(self, signature: cms.ContentInfo, digest: bytes) -> None:
        """`signature` was built by pyHanko for a document with this digest."""
        [signer] = signature["content"]["signer_infos"]
        encoded = signature.dump()
        self._structure = _BytesWithDigest(encoded, digest)
        self._attributes = _BytesWithDigest(signer["signed_attrs"].untag().dump(), digest)
        value = bytes(signer["signature"].native)
        self._value_length = len(value)
        # The value comes near the end, after the certificate and the attributes.
        self._value_start = encoded.rindex(value)

    def sign(self, digest: bytes, sign_bytes: Callable[[bytes], bytes]) -> cms.ContentInfo:
        attributes = self._attributes.with_digest(digest)
        value = sign_bytes(attributes)
        while len(value) != self._value_length:
            value = sign_bytes(attributes)
        structure = self._structure.with_digest(digest)
        value_end = self._value_start + self._value_length
        return cms.ContentInfo.load(structure[: self._value_start] + value + structure[value_end:])


class _BytesWithDigest:
    """Bytes in which one digest can be replaced by another."""

    def __init__(self, encoded: bytes, digest: bytes) -> None:
        if encoded.count(digest) != 1:
            raise ValueError("the digest must occur exactly once")
        self._before, self._after = encoded.split(digest)
        self._digest_length = len(digest)

    def with_digest(self, digest: bytes) -> bytes:
        if len(digest) != self._digest_length:
            raise ValueError("the new digest must be as long as the first one")
        return self._before + digest + self._after
