"""JSON bodies that several sub-packages use. A field that is null counts as absent."""

import json
import re
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar
from uuid import uuid4

from pydantic import AfterValidator, BaseModel, Field, ValidationError, field_validator
from pydantic_core import PydanticCustomError, from_json

from cairn.auth.errors import BadJson, WeakPassword
from cairn.auth.model import Factor, Grant, Identity, User

Body = TypeVar("Body", bound=BaseModel)

# The JSON escape of NUL. After an odd number of further backslashes it would be ordinary text.
NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def storable(data: dict[str, Any]) -> dict[str, Any]:
    """Postgres cannot store NUL, NaN or Infinity."""
    try:
        text = json.dumps(data, allow_nan=False)
    except ValueError as not_a_number:
        raise PydanticCustomError("storable", "a number is out of range") from not_a_number
    if NUL.search(text):
        raise PydanticCustomError("storable", "a text holds the NUL character")
    return data


OPTIONAL_TIMESTAMPS = (
    "email_confirmed_at",
    "phone_confirmed_at",
    "confirmation_sent_at",
    "invited_at",
    "recovery_sent_at",
    "email_change_sent_at",
    "phone_change_sent_at",
    "reauthentication_sent_at",
    "last_sign_in_at",
    "banned_until",
    "deleted_at",
)


def without_nul(text: str) -> str:
    if "\x00" in text:
        raise PydanticCustomError("storable", "a text holds the NUL character")
    return text


Text = Annotated[str, AfterValidator(without_nul)]
Metadata = Annotated[dict[str, Any], AfterValidator(storable)]


class Security(BaseModel):
    captcha_token: str | None = None


class EmailLinkBody(BaseModel):
    """Fields of every request that may send an email; `redirect_to` is usually in the query instead."""

    gotrue_meta_security: Security = Security()
    code_challenge: str | None = None
    code_challenge_method: str | None = None
    redirect_to: str | None = None

    @field_validator("gotrue_meta_security", mode="before")
    @classmethod
    def _null_means_default(cls, given: object) -> object:
        return {} if given is None else given


class RefreshBody(BaseModel):
    refresh_token: str | None = Field(default=None, repr=False)


def parse_json(kind: type[Body], raw: bytes) -> Body:
    try:
        return kind.model_validate(from_json(raw, allow_inf_nan=False))
    except ValidationError as invalid:
        raise BadJson(reason=_first_error(invalid)) from None
    except ValueError as malformed:
        raise BadJson(reason=str(malformed)) from malformed


def _first_error(invalid: ValidationError) -> str:
    """The field and the reason, but never the value, which may be a password."""
    error = invalid.errors(include_input=False, include_url=False)[0]
    place = ".".join(str(step) for step in error["loc"]) or "body"
    return f"{place}: {error['msg']}"


def session_json(granted: Grant) -> dict[str, Any]:
    session: dict[str, Any] = {
        "access_token": granted.access_token,
        "token_type": "bearer",
        "expires_in": granted.expires_in,
        "expires_at": granted.expires_at,
        "refresh_token": granted.refresh_token,
        "user": user_json(granted.user),
    }
    for name in ("provider_token", "provider_refresh_token"):
        if getattr(granted, name) is not None:
            session[name] = getattr(granted, name)
    if granted.weak is not None:
        session["weak_password"] = {"message": str(granted.weak), **weak_password_json(granted.weak)}
    return session


def weak_password_json(weak: WeakPassword) -> dict[str, Any]:
    return {"reasons": list(weak.reasons)}


def user_json(user: User) -> dict[str, Any]:
    required = {
        "id": str(user.id),
        "aud": "authenticated",
        "role": "authenticated",
        "email": user.email or "",
        "phone": user.phone or "",
        "app_metadata": user.app_metadata,
        "user_metadata": user.user_metadata,
        "identities": [identity_json(identity) for identity in user.identities],
        "created_at": timestamp(user.created_at),
        "updated_at": timestamp(user.updated_at),
        "is_anonymous": user.is_anonymous,
    }
    confirmed = [moment for moment in (user.email_confirmed_at, user.phone_confirmed_at) if moment is not None]
    optional = {name: getattr(user, name) for name in OPTIONAL_TIMESTAMPS} | {
        "confirmed_at": min(confirmed, default=None)
    }
    pending_addresses = {"new_email": user.new_email, "new_phone": user.new_phone}
    factors = {"factors": [factor_json(factor) for factor in user.factors]} if user.factors else {}
    return (
        required
        | factors
        | {name: timestamp(moment) for name, moment in optional.items() if moment is not None}
        | {name: address for name, address in pending_addresses.items() if address}
    )


def unknown_user_json(email: str | None, phone: str | None, data: dict[str, Any], now: datetime) -> dict[str, Any]:
    """Looks like a new account, so that a sign-up does not reveal whether the address already has one."""
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
        "created_at": timestamp(now),
        "updated_at": timestamp(now),
        "confirmation_sent_at": timestamp(now),
        "is_anonymous": False,
    }


def factor_json(factor: Factor) -> dict[str, Any]:
    required = {
        "id": str(factor.id),
        "factor_type": factor.factor_type,
        "status": factor.status,
        "created_at": timestamp(factor.created_at),
        "updated_at": timestamp(factor.updated_at),
    }
    optional = {
        "friendly_name": factor.friendly_name,
        "phone": factor.phone,
        "last_challenged_at": factor.last_challenged_at and timestamp(factor.last_challenged_at),
    }
    return required | {name: value for name, value in optional.items() if value}


def identity_json(identity: Identity) -> dict[str, Any]:
    return {
        "identity_id": str(identity.id),
        "id": identity.provider_id,
        "user_id": str(identity.user_id),
        "identity_data": identity.identity_data,
        "provider": identity.provider,
        "last_sign_in_at": identity.last_sign_in_at and timestamp(identity.last_sign_in_at),
        "created_at": timestamp(identity.created_at),
        "updated_at": timestamp(identity.updated_at),
        "email": identity.identity_data.get("email", ""),
    }


def timestamp(moment: datetime) -> str:
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
