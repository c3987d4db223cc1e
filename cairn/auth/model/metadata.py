"""Rules about the metadata of an account."""

import json
from collections.abc import Mapping
from typing import Any

from cairn.auth.errors import MetadataInvalid, NameInvalid, RoleUnknown

ROLES = ("company", "customer")


LONGEST_NAME = 200


LARGEST_METADATA = 16_000


def chosen_role(data: Mapping[str, Any]) -> str:
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
    if not isinstance(name, str) or len(name.strip()) > LONGEST_NAME:
        raise NameInvalid(limit=LONGEST_NAME)
    return name.strip() or email.partition("@")[0]


def accept_metadata(metadata: Mapping[str, Any]) -> None:
    """It travels in every access token, and a token has to fit into a request header."""
    if len(json.dumps(metadata)) > LARGEST_METADATA:
        raise MetadataInvalid(what=f"more than {LARGEST_METADATA} characters of JSON")


def new_account_metadata(
    data: Mapping[str, Any], email: str | None, phone: str | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The role is settled here for good, out of reach of user_metadata, which its owner may rewrite."""
    ways = [way for way, address in (("email", email), ("phone", phone)) if address]
    app_metadata = {"provider": ways[0], "providers": ways, "role": chosen_role(data)} if ways else {"role": "customer"}
    user_metadata = {key: value for key, value in data.items() if key not in ("role", "name")}
    if name := display_name(data, email or ""):
        user_metadata["name"] = name
    accept_metadata(user_metadata)
    return app_metadata, user_metadata
