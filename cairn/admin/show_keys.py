from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509 import Certificate

from cairn.admin.context import AdminContext
from cairn.admin.report import Report, Row
from cairn.auth import Keyring
from cairn.db import SERVICE
from cairn.waivers import trusted_certificates


async def show_keys(context: AdminContext) -> Report:
    """Shows which keys sign access tokens and seal documents, by their ids. `cairn keys` prints the secrets."""
    documents = context.documents
    async with context.database.acting_as(SERVICE, read_only=True) as connection:
        certificates = await trusted_certificates(connection, documents.data_folder, documents.certificate_key)
    token_keys = Keyring(context.settings.auth).jwks()["keys"]
    return Report(
        [
            *map(_token_key_row, token_keys, range(len(token_keys))),
            *(_certificate_row(certificate, documents.seal.fingerprint) for certificate in certificates),
        ]
    )


def _token_key_row(key: dict[str, str], place: int) -> Row:
    """The first key signs new tokens. The others only verify tokens that they signed earlier."""
    purpose = "signs access tokens" if place == 0 else "verifies older access tokens"
    return {"id": key["kid"], "purpose": purpose, "expires_at": None}


def _certificate_row(certificate: Certificate, current_fingerprint: str) -> Row:
    fingerprint = certificate.fingerprint(SHA256()).hex()
    purpose = "seals documents" if fingerprint == current_fingerprint else "verifies older documents"
    return {"id": fingerprint, "purpose": purpose, "expires_at": certificate.not_valid_after_utc}
