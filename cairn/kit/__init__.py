"""What every room may need and that knows nothing about waivers: refusals, the clock, sealed secrets,
the manners of HTTP, and posting to addresses that others have named.

Floor 1: imports nothing of ours.
"""

from cairn.kit.clock import now
from cairn.kit.cors import Cors
from cairn.kit.endpoint import Endpoint, EndpointRefused, Networks, Resolve, check_endpoint, look_up
from cairn.kit.https import HttpsOnly
from cairn.kit.post import Answer, post_to, trust
from cairn.kit.private_page import PRIVATE_PAGE
from cairn.kit.problem import Problem
from cairn.kit.secret_box import DecryptionFailed, SecretBox
from cairn.kit.service_router import ServiceRouter

__all__ = [
    "PRIVATE_PAGE",
    "Answer",
    "Cors",
    "DecryptionFailed",
    "Endpoint",
    "EndpointRefused",
    "HttpsOnly",
    "Networks",
    "Problem",
    "Resolve",
    "SecretBox",
    "ServiceRouter",
    "check_endpoint",
    "look_up",
    "now",
    "post_to",
    "trust",
]
