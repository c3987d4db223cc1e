from pathlib import Path

from pydantic import BaseModel, PositiveInt, SecretStr


class DocumentSettings(BaseModel, frozen=True):
    # A PKCS#12 file with the operator's key and certificate. Without it, a self-signed pair is generated on first use.
    seal_pkcs12: Path | None = None
    seal_password: SecretStr | None = None
    # An RFC 3161 timestamp authority. Once set, no document is sealed without its timestamp.
    timestamp_url: str | None = None
    # The number of processes that render documents. One of them is always left free for other companies.
    rendering_processes: PositiveInt = 3
