from dataclasses import dataclass

from cairn.auth.model import Caller
from cairn.auth.oauth_flow import Challenge


@dataclass(frozen=True, slots=True)
class Ask:
    """The circumstances under which somebody asks for a mail."""

    redirect_to: str
    challenge: Challenge | None
    caller: Caller
