"""What comes in at the doors of federated sign-in."""

from pydantic import BaseModel, Field


class ExchangeBody(BaseModel):
    auth_code: str | None = None
    code_verifier: str | None = Field(default=None, repr=False)


class IdTokenBody(BaseModel):
    provider: str | None = None
    issuer: str | None = None
    id_token: str | None = Field(default=None, repr=False)
    access_token: str | None = Field(default=None, repr=False)
    nonce: str | None = Field(default=None, repr=False)
    link_identity: bool | None = None
