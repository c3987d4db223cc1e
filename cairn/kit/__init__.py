"""What every room may need and that knows nothing about waivers: refusals, the clock, sealed secrets,
the manners of HTTP.

Floor 1: imports nothing of ours.
"""

from cairn.kit.clock import now
from cairn.kit.cors import Cors
from cairn.kit.doors import Doors
from cairn.kit.https import HttpsOnly
from cairn.kit.private_page import PRIVATE_PAGE
from cairn.kit.problem import Problem
from cairn.kit.seal import Seal, SealBroken

__all__ = ["PRIVATE_PAGE", "Cors", "Doors", "HttpsOnly", "Problem", "Seal", "SealBroken", "now"]
