import base64

import pytest

from cairn.kit import DecryptionFailed, SecretBox


def test_what_was_sealed_opens_again_and_never_looks_the_same() -> None:
    secret_box = SecretBox("a secret", "letters")

    first, second = secret_box.encrypt("Grüße"), secret_box.encrypt("Grüße")

    assert first != second
    assert secret_box.decrypt(first) == secret_box.decrypt(second) == "Grüße"
    assert b"Gr" not in base64.b64decode(first)


def test_nothing_else_opens_it() -> None:
    sealed = SecretBox("a secret", "letters").encrypt("words")
    altered = base64.b64encode(base64.b64decode(sealed)[:-1] + b"x").decode()

    for secret_box, text in (
        (SecretBox("another secret", "letters"), sealed),
        (SecretBox("a secret", "another purpose"), sealed),
        (SecretBox("a secret", "letters"), altered),
        (SecretBox("a secret", "letters"), "not base64!"),
        (SecretBox("a secret", "letters"), ""),
    ):
        with pytest.raises(DecryptionFailed):
            secret_box.decrypt(text)
