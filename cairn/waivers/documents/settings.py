from pathlib import Path

from pydantic import BaseModel, SecretStr


class DocumentSettings(BaseModel, frozen=True):
    # A key and certificate of your own; without one a key and a self-signed certificate are made on first use.
    seal_pkcs12: Path | None = None
    seal_password: SecretStr | None = None
    # An RFC 3161 authority. Once set, no document is sealed without its timestamp.
    timestamp_url: str | None = None
