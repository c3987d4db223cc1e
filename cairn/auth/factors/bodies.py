from typing import Annotated, Any
from urllib.parse import quote

from pydantic import AfterValidator, BaseModel, Field
from pydantic_core import PydanticCustomError

from cairn.auth.bodies import TextWithoutNul
from cairn.auth.factors.challenge import IssuedChallenge
from cairn.auth.factors.enrol import EnrolledFactor

# The maximum length of the issuer in the QR code, which percent-encodes a character as up to twelve bytes. Drawing a
# larger code would take too long.
MAX_ISSUER_BYTES = 400


def check_issuer(issuer: str) -> str:
    if len(quote(issuer, errors="replace")) > MAX_ISSUER_BYTES:
        raise PydanticCustomError("issuer", "it is too long for the QR code")
    return issuer


class EnrolBody(BaseModel):
    factor_type: str | None = None
    friendly_name: TextWithoutNul | None = None
    issuer: Annotated[str, AfterValidator(check_issuer)] | None = None
    phone: str | None = None


class WebauthnBody(BaseModel):
    credential_response: dict[str, Any] | None = None


class VerifyBody(BaseModel):
    challenge_id: str | None = None
    code: str | None = Field(default=None, repr=False)
    webauthn: WebauthnBody | None = Field(default=None, repr=False)


class CodeBody(BaseModel):
    code: str | None = Field(default=None, repr=False)


def enrolled_json(factor: EnrolledFactor) -> dict[str, Any]:
    body: dict[str, Any] = {"id": str(factor.id), "type": factor.kind, "friendly_name": factor.name}
    if factor.phone is not None:
        body["phone"] = factor.phone
    if factor.uri is not None:
        body["totp"] = {"qr_code": factor.qr_code, "secret": factor.secret, "uri": factor.uri}
    return body


def challenge_json(challenge: IssuedChallenge) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": str(challenge.id),
        "type": challenge.kind,
        "expires_at": int(challenge.expires_at.timestamp()),
    }
    if challenge.options is not None:
        body["webauthn"] = {"type": challenge.ceremony, "credential_options": {"publicKey": challenge.options}}
    return body
