from pydantic import BaseModel, Field

from cairn.auth.bodies import PkceBody, TextWithoutNul


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


class SsoBody(PkceBody):
    provider_id: str | None = None
    domain: TextWithoutNul | None = None
    redirect_to: str | None = None
    skip_http_redirect: bool | None = None
