"""`/functions/v1/{name}`: one file a function, and the gateway in front of them.

Floor 9. A function is a coroutine that takes a `Call` and returns a response; adding one is adding a file and a line to
the table in `service`.
"""

from cairn.functions.call import Tools
from cairn.functions.gateway import service

__all__ = ["Tools", "service"]
