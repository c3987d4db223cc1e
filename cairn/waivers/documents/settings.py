from pathlib import Path

from cryptography.x509 import load_pem_x509_certificate
from pydantic import BaseModel, PositiveInt, SecretStr, field_validator

from cairn.waivers.documents.seal_keys import from_pem


class DocumentSettings(BaseModel, frozen=True, hide_input_in_errors=True):
    # The private key and the certificate of the seal, in PEM. `new_seal_key()` generates them.
    seal_key: SecretStr
    # The certificates of earlier seals, in PEM. Documents that were sealed with them stay valid.
    retired_certificates: tuple[str, ...] = ()
    # A PKCS#12 file with the operator's key and certificate. It is used instead of `seal_key`.
    seal_pkcs12: Path | None = None
    seal_password: SecretStr | None = None
    # An RFC 3161 timestamp authority. Once set, no document is sealed without its timestamp.
    timestamp_url: str | None = None
    # The number of processes that render documents. If there are several, no company uses all of them.
    rendering_processes: PositiveInt = 3

    @field_validator("seal_key")
    @classmethod
    def _check_seal_key(cls, pem: SecretStr) -> SecretStr:
        try:
            from_pem(pem.get_secret_value().encode())
        except ValueError as error:
            raise ValueError("must be an EC or RSA private key and its certificate in PEM") from error
        return pem

    @field_validator("retired_certificates")
    @classmethod
    def _check_retired_certificates(cls, pems: tuple[str, ...]) -> tuple[str, ...]:
        try:
            for pem in pems:
                load_pem_x509_certificate(pem.encode())
        except ValueError as error:
            raise ValueError("must be certificates in PEM") from error
        return pems
