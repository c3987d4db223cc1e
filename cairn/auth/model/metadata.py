"""Validates the metadata of a user."""

import json
import re
from collections.abc import Mapping
from typing import Any

from cairn.auth.errors import MetadataInvalid, NameInvalid, RoleUnknown

ROLES = ("company", "customer")
MAX_NAME_LENGTH = 200
MAX_METADATA_LENGTH = 16_000
_EXPONENT = re.compile(r"\de[+-](\d{1,3})")


def parse_role(data: Mapping[str, Any]) -> str:
    role = data.get("role")
    if role is None:
        return "company"
    if role not in ROLES:
        raise RoleUnknown
    return str(role)


def display_name(data: Mapping[str, Any], email: str) -> str:
    name = data.get("name")
    if name is None:
        return email.partition("@")[0]
    if not isinstance(name, str) or len(name.strip()) > MAX_NAME_LENGTH:
        raise NameInvalid(limit=MAX_NAME_LENGTH)
    return name.strip() or email.partition("@")[0]


def check_metadata_size(metadata: Mapping[str, Any]) -> None:
    """Limits the size, because every access token contains the metadata and has to fit into a request header."""
    text = json.dumps(metadata)
    # PostgreSQL writes 1e+308 as a number with 309 digits.
    zeros = sum(int(exponent) for exponent in _EXPONENT.findall(text))
    if len(text) + zeros > MAX_METADATA_LENGTH:
        raise MetadataInvalid(what=f"more than {MAX_METADATA_LENGTH} characters of JSON")


def new_account_metadata(
    data: Mapping[str, Any], email: str | None, phone: str | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the app_metadata and the user_metadata of a new account.

    The role is stored in app_metadata, because users can change their own user_metadata. An account without an email
    address and a phone number is anonymous, and its role is always customer.
    """
    providers = [name for name, address in (("email", email), ("phone", phone)) if address]
    app_metadata = (
        {"provider": providers[0], "providers": providers, "role": parse_role(data)}
        if providers
        else {"role": "customer"}
    )
    user_metadata = {key: value for key, value in data.items() if key not in ("role", "name")}
    if name := display_name(data, email or ""):
        user_metadata["name"] = name
    check_metadata_size(user_metadata)
    return app_metadata, user_metadata
