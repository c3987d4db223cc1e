"""Operators read docs/operations.md, the server reads the settings classes; both must agree."""

import json
import re
from collections.abc import Iterator

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from cairn.settings import PREFIX, Settings
from tests.structure.tree import ROOT, text

ROW = re.compile(r"^\| `(?P<variable>CAIRN_\w+)` \| (?P<default>.+?) \|", re.MULTILINE)
# Computed at the start from host and port.
COMPUTED = {"CAIRN_AUTH__SITE_URL": "from host and port"}


def test_the_docs_list_every_setting_with_its_default() -> None:
    documented = {row["variable"]: row["default"] for row in ROW.finditer(text(ROOT / "docs" / "operations.md"))}

    assert documented == {**dict(settings_of(Settings)), **COMPUTED}


def settings_of(model: type[BaseModel], prefix: str = PREFIX) -> Iterator[tuple[str, str]]:
    for name, field in model.model_fields.items():
        variable = prefix + name.upper()
        part = part_of(field)
        if part is None:
            yield variable, default_of(variable, field)
        else:
            yield from settings_of(part, f"{variable}__")


def part_of(field: FieldInfo) -> type[BaseModel] | None:
    kinds = [field.annotation, *getattr(field.annotation, "__args__", ())]
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None)


def default_of(variable: str, field: FieldInfo) -> str:
    """As it would be written in the environment. Only secrets and the mail server's host have no default."""
    if field.is_required():
        return "not set" if variable.endswith("__HOST") else "generated"
    if field.default is None:
        return "not set"
    value = to_jsonable_python(field.default)
    return f"`{value}`" if isinstance(value, str) else f"`{json.dumps(value)}`"
