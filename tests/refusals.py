"""Reads the refusals that each package lists in its refusals.sql."""

import json

from cairn.db import shipped_definitions
from cairn.kit import frozen_dataclass


@frozen_dataclass
class ListedRefusal:
    package: str
    code: str
    sqlstate: str
    message: str


def listed_refusals() -> list[ListedRefusal]:
    """Returns the refusals of all packages; a code that is listed twice is returned twice."""
    definitions = [definition for definition in shipped_definitions() if definition.object.endswith(".refuse")]
    return [
        ListedRefusal(definition.file.split("/")[1], code, sqlstate, message)
        for definition in definitions
        for code, (sqlstate, message) in json.loads(definition.sql.split("$$")[1], object_pairs_hook=list)
    ]
