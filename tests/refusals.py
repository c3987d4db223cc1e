"""The refusals that the packages list in their refusals.sql."""

import re
from dataclasses import dataclass

from cairn.db import shipped_definitions

_ROW = re.compile(r"\('(\w+)', +'(\w+)', '((?:[^']|'')*)'\)")


@dataclass(frozen=True, slots=True)
class ListedRefusal:
    package: str
    code: str
    sqlstate: str
    message: str


def listed_refusals() -> list[ListedRefusal]:
    lists = [definition for definition in shipped_definitions() if definition.file.endswith("/refusals.sql")]
    return [
        ListedRefusal(definition.file.split("/")[1], code, sqlstate, message.replace("''", "'"))
        for definition in lists
        for code, sqlstate, message in _ROW.findall(definition.sql)
    ]
