"""What a function gets: who calls, with what, and the house's tools."""

from dataclasses import dataclass

from cairn.db import Database, Principal
from cairn.jobs import Bell
from cairn.waivers import Desk


@dataclass(frozen=True, slots=True)
class Call:
    principal: Principal
    body: bytes
    database: Database
    bell: Bell
    desk: Desk
    push_key: str
