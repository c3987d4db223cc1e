"""Defines the JSON bodies that several sub-packages use. In requests, null means the same as an absent field."""

import json
import re
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar
from uuid import uuid4

from pydantic import AfterValidator, BaseModel, Field, ValidationError, field_validator
from pydantic_core import PydanticCustomError, from_json

from cairn.auth.errors import BadJson, WeakPassword
from cairn.auth.model import Factor, Grant, Identity, User
from cairn.kit import first_wrong_field

Body = TypeVar("Body", bound=BaseModel)

# Matches NUL as JSON escapes it. If the backslash is itself escaped, the same characters are ordinary text.
ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def check_storable(data: dict[str, Any]) -> dict[str, Any]:
    """Refuses NUL, NaN and Infinity, which Postgres cannot store."""
    try:
        text = json.dumps(data, allow_nan=False)
    except ValueError as error:
        raise PydanticCustomError("storable", "a number is out of range") from error
    if ESCAPED_NUL.search(text):
        raise PydanticCustomError("storable", "a text holds the NUL character")
    return data


# These timestamps of a user are left out of the JSON while they are null.
OPTIONAL_TIMESTAMPS = (
    "email_confirmed_at", "phone_confirmed_at", "confirmation_sent_at", "invited_at", "recovery_sent_at",
    "email_change_sent_at", "phone_change_sent_at", "reauthentication_sent_at", "last_sign_in_at", "banned_until",
    "deleted_at",
)  # fmt: skip


def check_no_nul(text: str) -> str:
    if "\x00" in text:
        raise PydanticCustomError("storable", "a text holds the NUL character")
    return text


TextWithoutNul = Annotated[str, AfterValidator(check_no_nul)]
Metadata = Annotated[dict[str, Any], AfterValidator(check_storable)]


class CaptchaBody(BaseModel):
    captcha_token: str | None = None


class PkceBody(BaseModel):
    """Has the fields of every request that may start a PKCE flow."""

    code_challenge: str | None = None
    code_challenge_method: str | None = None


class EmailLinkBody(PkceBody):
    """Has the fields of every request that may send an email. Most clients send `redirect_to` in the query instead."""

    gotrue_meta_security: CaptchaBody = CaptchaBody()
    redirect_to: str | None = None

    @field_validator("gotrue_meta_security", mode="before")
    @classmethod
    def _null_means_default(cls, value: object) -> object:
        return {} if value is None else value


class AddressBody(EmailLinkBody):
    email: str | None = None
    phone: str | None = None


class RefreshBody(BaseModel):
    refresh_token: str | None = Field(default=None, repr=False)


def parse_json(body_type: type[Body], raw: bytes) -> Body:
    try:
        return body_type.model_validate(from_json(raw, allow_inf_nan=False))
    except ValidationError as error:
        raise BadJson(reason=_first_reason(error)) from None
    except ValueError as error:
        raise BadJson(reason=str(error)) from error


def _first_reason(error: ValidationError) -> str:
    """Names the first wrong field and the reason, but never the value, which may be a password."""
    wrong = first_wrong_field(error)
    return f"{wrong.name() or 'body'}: {wrong.reason}"


def session_json(grant: Grant) -> dict[str, Any]:
    session: dict[str, Any] = {
        "access_token": grant.access_token,
        "token_type": "bearer",
        "expires_in": grant.expires_in,
        "expires_at": grant.expires_at,
        "refresh_token": grant.refresh_token,
        "user": user_json(grant.user),
    }
    for name in ("provider_token", "provider_refresh_token"):
        if getattr(grant, name) is not None:
            session[name] = getattr(grant, name)
    if grant.weak_password is not None:
        session["weak_password"] = {"message": str(grant.weak_password), **weak_password_json(grant.weak_password)}
    return session


def weak_password_json(error: WeakPassword) -> dict[str, Any]:
    return {"reasons": list(error.reasons)}


def user_json(user: User) -> dict[str, Any]:
    required_fields = {
        "id": str(user.id),
        "aud": "authenticated",
        "role": "authenticated",
        "email": user.email or "",
        "phone": user.phone or "",
        "app_metadata": user.app_metadata,
        "user_metadata": user.user_metadata,
        "identities": [identity_json(identity) for identity in user.identities],
        "created_at": format_timestamp(user.created_at),
        "updated_at": format_timestamp(user.updated_at),
        "is_anonymous": user.is_anonymous,
    }
    confirmation_times = [time for time in (user.email_confirmed_at, user.phone_confirmed_at) if time is not None]
    optional_times = {name: getattr(user, name) for name in OPTIONAL_TIMESTAMPS} | {
        "confirmed_at": min(confirmation_times, default=None)
    }
    pending_addresses = {"new_email": user.new_email, "new_phone": user.new_phone}
    factors = {"factors": [factor_json(factor) for factor in user.factors]} if user.factors else {}
    return (
        required_fields
        | factors
        | {name: format_timestamp(time) for name, time in optional_times.items() if time is not None}
        | {name: address for name, address in pending_addresses.items() if address}
    )


def decoy_user_json(email: str | None, phone: str | None, data: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Returns a made-up new user, so that a sign-up does not reveal whether the address already has an account."""
    provider = "email" if email else "phone"
    return {
        "id": str(uuid4()),
        "aud": "authenticated",
        "role": "",
        "email": email or "",
        "phone": phone or "",
        "app_metadata": {"provider": provider, "providers": [provider]},
        "user_metadata": data,
        "identities": [],
        "created_at": format_timestamp(now),
        "updated_at": format_timestamp(now),
        "confirmation_sent_at": format_timestamp(now),
        "is_anonymous": False,
    }


def factor_json(factor: Factor) -> dict[str, Any]:
    required_fields = {
        "id": str(factor.id),
        "factor_type": factor.factor_type,
        "status": factor.status,
        "created_at": format_timestamp(factor.created_at),
        "updated_at": format_timestamp(factor.updated_at),
    }
    optional_fields = {
        "friendly_name": factor.friendly_name,
        "phone": factor.phone,
        "last_challenged_at": factor.last_challenged_at and format_timestamp(factor.last_challenged_at),
    }
    return required_fields | {name: value for name, value in optional_fields.items() if value}


def identity_json(identity: Identity) -> dict[str, Any]:
    return {
        "identity_id": str(identity.id),
        "id": identity.provider_id,
        "user_id": str(identity.user_id),
        "identity_data": identity.identity_data,
        "provider": identity.provider,
        "last_sign_in_at": identity.last_sign_in_at and format_timestamp(identity.last_sign_in_at),
        "created_at": format_timestamp(identity.created_at),
        "updated_at": format_timestamp(identity.updated_at),
        "email": identity.identity_data.get("email", ""),
    }


def format_timestamp(time: datetime) -> str:
    return f"{time.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
