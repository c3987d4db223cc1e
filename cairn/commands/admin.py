"""`cairn admin` has a package of its own, because it has many commands."""

from cairn.admin import add_arguments

__all__ = ["add_arguments"]
