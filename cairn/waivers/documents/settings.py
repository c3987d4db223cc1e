from pathlib import Path

from pydantic import BaseModel, PositiveInt, SecretStr


class DocumentSettings(BaseModel, frozen=True):
    # A PKCS#12 file with the operator's key and certificate. Without it, a self-signed pair is generated on first use.
    seal_pkcs12: Path | None = None
    seal_password: SecretStr | None = None
    # An RFC 3161 timestamp authority. Once set, no document is sealed without its timestamp.
    timestamp_url: str | None = None
    # How many documents are rendered at once. One company uses at most all but one of these processes.
    rendering_processes: PositiveInt = 3
