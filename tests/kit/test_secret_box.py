import base64

import pytest

from cairn.kit import DecryptionFailed, SecretBox


def test_each_encryption_of_a_text_is_different_and_can_be_decrypted() -> None:
    secret_box = SecretBox("a secret", "mail keys")

    first, second = secret_box.encrypt("Grüße"), secret_box.encrypt("Grüße")

    assert first != second
    assert secret_box.decrypt(first) == secret_box.decrypt(second) == "Grüße"
    assert b"Gr" not in base64.b64decode(first)


def test_decryption_fails_with_another_key_another_purpose_or_an_altered_text() -> None:
    encrypted = SecretBox("a secret", "mail keys").encrypt("a provider key")
    decoded = base64.b64decode(encrypted)
    altered = base64.b64encode(decoded[:-1] + bytes([decoded[-1] ^ 1])).decode()

    for secret_box, text in (
        (SecretBox("another secret", "mail keys"), encrypted),
        (SecretBox("a secret", "another purpose"), encrypted),
        (SecretBox("a secret", "mail keys"), altered),
        (SecretBox("a secret", "mail keys"), "not base64!"),
        (SecretBox("a secret", "mail keys"), ""),
    ):
        with pytest.raises(DecryptionFailed):
            secret_box.decrypt(text)
