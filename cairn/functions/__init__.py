"""Serves `/functions/v1/{name}`. There is one file per function, and the gateway calls them.

A function is a coroutine that takes a `Call` and returns a response. To add one, add a file and a line to
`FUNCTIONS` in `gateway.py`.
"""

from cairn.functions.call import FunctionsContext
from cairn.functions.gateway import service

__all__ = ["FunctionsContext", "service"]
