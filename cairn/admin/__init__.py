"""Implements `cairn admin`, with which the operator manages users, companies, keys, the queue and the settings."""

from cairn.admin.commands import add_arguments

__all__ = ["add_arguments"]
