"""A signature cast from an earlier one: between two documents only the digest and the signature value differ."""

from collections.abc import Callable

from asn1crypto import cms


class Mould:
    """Taken from a signature pyHanko built. Building each anew costs more than rendering the document."""

    def __init__(self, first: cms.ContentInfo, digest: bytes) -> None:
        [signer] = first["content"]["signer_infos"]
        self._whole = _Blank(first.dump(), digest)
        self._attributes = _Blank(signer["signed_attrs"].untag().dump(), digest)
        self._value = bytes(signer["signature"].native)
        # Near the end, after certificate and attributes; looked for from there.
        self._value_at = first.dump().rindex(self._value)

    def cast(self, digest: bytes, sign: Callable[[bytes], bytes]) -> cms.ContentInfo:
        attributes = self._attributes.filled(digest)
        value = sign(attributes)
        # ECDSA values are 70 to 72 bytes long by chance; one as long as the first fits without moving anything else.
        while len(value) != len(self._value):
            value = sign(attributes)
        whole = self._whole.filled(digest)
        end = self._value_at + len(value)
        return cms.ContentInfo.load(whole[: self._value_at] + value + whole[end:])


class _Blank:
    """Bytes with one place for a digest."""

    def __init__(self, filled: bytes, digest: bytes) -> None:
        if filled.count(digest) != 1:
            raise ValueError("the digest must stand in exactly one place")
        self._before, self._after = filled.split(digest)
        self._size = len(digest)

    def filled(self, digest: bytes) -> bytes:
        if len(digest) != self._size:
            raise ValueError("a digest of another size does not fit")
        return self._before + digest + self._after
