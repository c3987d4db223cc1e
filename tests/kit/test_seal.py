import base64

import pytest

from cairn.kit import Seal, SealBroken


def test_what_was_sealed_opens_again_and_never_looks_the_same() -> None:
    seal = Seal("a secret", "letters")

    first, second = seal.close("Grüße"), seal.close("Grüße")

    assert first != second
    assert seal.open(first) == seal.open(second) == "Grüße"
    assert b"Gr" not in base64.b64decode(first)


def test_nothing_else_opens_it() -> None:
    sealed = Seal("a secret", "letters").close("words")
    altered = base64.b64encode(base64.b64decode(sealed)[:-1] + b"x").decode()

    for seal, text in (
        (Seal("another secret", "letters"), sealed),
        (Seal("a secret", "another purpose"), sealed),
        (Seal("a secret", "letters"), altered),
        (Seal("a secret", "letters"), "not base64!"),
        (Seal("a secret", "letters"), ""),
    ):
        with pytest.raises(SealBroken):
            seal.open(text)
