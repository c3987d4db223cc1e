import base64

import pytest

from cairn.kit import DecryptionFailed, SecretBox


def test_an_encrypted_text_can_be_decrypted_and_never_looks_the_same() -> None:
    secret_box = SecretBox("a secret", "mail keys")

    first, second = secret_box.encrypt("Grüße"), secret_box.encrypt("Grüße")

    assert first != second
    assert secret_box.decrypt(first) == secret_box.decrypt(second) == "Grüße"
    assert b"Gr" not in base64.b64decode(first)


def test_another_key_another_purpose_or_an_altered_text_is_refused() -> None:
    encrypted = SecretBox("a secret", "mail keys").encrypt("a provider key")
    altered = base64.b64encode(base64.b64decode(encrypted)[:-1] + b"x").decode()

    for secret_box, text in (
        (SecretBox("another secret", "mail keys"), encrypted),
        (SecretBox("a secret", "another purpose"), encrypted),
        (SecretBox("a secret", "mail keys"), altered),
        (SecretBox("a secret", "mail keys"), "not base64!"),
        (SecretBox("a secret", "mail keys"), ""),
    ):
        with pytest.raises(DecryptionFailed):
            secret_box.decrypt(text)
