"""docs/operations.md lists the same settings and defaults as the settings classes."""

import json
import re
from collections.abc import Iterator

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from cairn.settings import PREFIX, Settings
from tests.structure.tree import ROOT, read_source

SETTING_ROW = re.compile(r"^\| `(?P<variable>CAIRN_\w+)` \| (?P<default>.+?) \|", re.MULTILINE)
# The server computes this default when it starts.
COMPUTED_DEFAULTS = {"CAIRN_AUTH__SITE_URL": "from host and port"}


def test_the_docs_list_every_setting_with_its_default() -> None:
    documented_settings = {
        row["variable"]: row["default"] for row in SETTING_ROW.finditer(read_source(ROOT / "docs" / "operations.md"))
    }

    assert documented_settings == {**dict(settings_of(Settings)), **COMPUTED_DEFAULTS}


def settings_of(model: type[BaseModel], prefix: str = PREFIX) -> Iterator[tuple[str, str]]:
    for name, field in model.model_fields.items():
        variable = prefix + name.upper()
        nested_model = nested_model_of(field)
        if nested_model is None:
            yield variable, default_of(variable, field)
        else:
            yield from settings_of(nested_model, f"{variable}__")


def nested_model_of(field: FieldInfo) -> type[BaseModel] | None:
    types = [field.annotation, *getattr(field.annotation, "__args__", ())]
    return next(
        (candidate for candidate in types if isinstance(candidate, type) and issubclass(candidate, BaseModel)), None
    )


def default_of(variable: str, field: FieldInfo) -> str:
    """Returns the default as an operator would write it. Only secrets and the mail server's host have no default."""
    if field.is_required():
        return "not set" if variable.endswith("__HOST") else "generated"
    if field.default is None:
        return "not set"
    value = to_jsonable_python(field.default)
    return f"`{value}`" if isinstance(value, str) else f"`{json.dumps(value)}`"
