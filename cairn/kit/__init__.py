"""What every room may need and that knows nothing about waivers: refusals, the clock, sealed secrets,
the manners of HTTP, and posting to addresses that others have named.

Floor 1: imports nothing of ours.
"""

from cairn.kit.clock import now
from cairn.kit.cors import Cors
from cairn.kit.doors import Doors
from cairn.kit.endpoint import Endpoint, EndpointRefused, Networks, Resolve, check_endpoint, look_up
from cairn.kit.https import HttpsOnly
from cairn.kit.post import Answer, post_to, trust
from cairn.kit.private_page import PRIVATE_PAGE
from cairn.kit.problem import Problem
from cairn.kit.seal import Seal, SealBroken

__all__ = [
    "PRIVATE_PAGE",
    "Answer",
    "Cors",
    "Doors",
    "Endpoint",
    "EndpointRefused",
    "HttpsOnly",
    "Networks",
    "Problem",
    "Resolve",
    "Seal",
    "SealBroken",
    "check_endpoint",
    "look_up",
    "now",
    "post_to",
    "trust",
]
