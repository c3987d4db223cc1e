"""Operators read docs/operations.md, the server reads the classes; both must say the same."""

import json
import re
from collections.abc import Iterator

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from cairn.settings import PREFIX, Settings
from tests.structure.tree import ROOT, text

ROW = re.compile(r"^\| `(?P<variable>CAIRN_\w+)` \| (?P<default>.+?) \|", re.MULTILINE)
# Worked out at the start: host and port of this server.
WORKED_OUT = {"CAIRN_AUTH__SITE_URL": "from host and port"}


def test_the_paper_names_every_setting_with_its_default() -> None:
    paper = {row["variable"]: row["default"] for row in ROW.finditer(text(ROOT / "docs" / "operations.md"))}

    assert paper == {**dict(settings_of(Settings)), **WORKED_OUT}


def settings_of(model: type[BaseModel], prefix: str = PREFIX) -> Iterator[tuple[str, str]]:
    for name, field in model.model_fields.items():
        variable = prefix + name.upper()
        room = part_of(field)
        if room is None:
            yield variable, default_of(variable, field)
        else:
            yield from settings_of(room, f"{variable}__")


def part_of(field: FieldInfo) -> type[BaseModel] | None:
    kinds = [field.annotation, *getattr(field.annotation, "__args__", ())]
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None)


def default_of(variable: str, field: FieldInfo) -> str:
    """As one would write it into the environment. Only secrets and a mail server's host have no default."""
    if field.is_required():
        return "not set" if variable.endswith("__HOST") else "generated"
    if field.default is None:
        return "not set"
    value = to_jsonable_python(field.default)
    return f"`{value}`" if isinstance(value, str) else f"`{json.dumps(value)}`"
