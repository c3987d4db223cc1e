"""What comes in and goes out at the doors of second factors."""

from typing import Any

from pydantic import BaseModel, Field

from cairn.auth.bodies import Text
from cairn.auth.factors.challenge import Question
from cairn.auth.factors.enrol import Enrolled


class EnrolBody(BaseModel):
    factor_type: str | None = None
    friendly_name: Text | None = None
    issuer: str | None = None
    phone: str | None = None


class SignedBody(BaseModel):
    credential_response: dict[str, Any] | None = None


class VerifyBody(BaseModel):
    challenge_id: str | None = None
    code: str | None = Field(default=None, repr=False)
    webauthn: SignedBody | None = Field(default=None, repr=False)


class CodeBody(BaseModel):
    code: str | None = Field(default=None, repr=False)


def enrolled_json(enrolled: Enrolled) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": str(enrolled.id), "type": enrolled.kind, "friendly_name": enrolled.name}
    if enrolled.phone is not None:
        shown["phone"] = enrolled.phone
    if enrolled.uri is not None:
        shown["totp"] = {"qr_code": enrolled.qr_code, "secret": enrolled.secret, "uri": enrolled.uri}
    return shown


def question_json(question: Question) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": str(question.id),
        "type": question.kind,
        "expires_at": int(question.expires_at.timestamp()),
    }
    if question.options is not None:
        shown["webauthn"] = {"type": question.ceremony, "credential_options": {"publicKey": question.options}}
    return shown
