from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen_dataclass(cls: type[T]) -> type[T]:
    """A dataclass that cannot be changed after it is created, and that uses little memory."""
    return dataclass(frozen=True, slots=True)(cls)
