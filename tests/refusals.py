"""The refusals that the packages list in their refusals.sql."""

import json
from dataclasses import dataclass

from cairn.db import shipped_definitions


@dataclass(frozen=True, slots=True)
class ListedRefusal:
    package: str
    code: str
    sqlstate: str
    message: str


def listed_refusals() -> list[ListedRefusal]:
    """A code that is listed twice is returned twice."""
    lists = [definition for definition in shipped_definitions() if definition.object.endswith(".refuse")]
    return [
        ListedRefusal(definition.file.split("/")[1], code, sqlstate, message)
        for definition in lists
        for code, (sqlstate, message) in json.loads(definition.sql.split("$$")[1], object_pairs_hook=list)
    ]
