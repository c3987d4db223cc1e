import os
from collections.abc import Iterator

from pydantic import BaseModel, SecretStr

from cairn.admin.report import Report, Row
from cairn.generated_secrets import SECRETS_VARIABLE
from cairn.settings import PREFIX, Settings

_MASK = "********"
# Settings whose values may come neither from the environment nor from the defaults, with their origin. Every other
# such value is a secret from the bundle.
_OTHER_ORIGINS = {f"{PREFIX}DATA": "command line", f"{PREFIX}AUTH__SITE_URL": "host and port"}


def show_settings(settings: Settings) -> Report:
    return Report(list(_rows(settings, PREFIX)))


def _rows(model: BaseModel, prefix: str) -> Iterator[Row]:
    for name in type(model).model_fields:
        variable, value = prefix + name.upper(), getattr(model, name)
        if isinstance(value, BaseModel):
            yield from _rows(value, f"{variable}__")
        else:
            yield {"setting": variable, "value": _shown(value), "from": _origin(variable, value, model, name)}


def _shown(value: object) -> object:
    if isinstance(value, SecretStr):
        return _MASK
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def _origin(variable: str, value: object, model: BaseModel, name: str) -> str:
    """Returns where the value comes from. A variable may also contain a group of settings as JSON."""
    parts = variable.removeprefix(PREFIX).split("__")
    if any(PREFIX + "__".join(parts[: end + 1]) in os.environ for end in range(len(parts))):
        return "environment"
    if value == type(model).model_fields[name].default:
        return "default"
    return _OTHER_ORIGINS.get(variable, SECRETS_VARIABLE if SECRETS_VARIABLE in os.environ else "data folder")
