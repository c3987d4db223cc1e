"""SAML 2.0, the part of it that signs people in: redirect there, form back. Knows documents, no tables.

Signatures are checked by `signxml`; what a genuine assertion must say to be believed is in `assertion`.
"""

from cairn.auth.federation.saml.assertion import Assertion, Expected, believed
from cairn.auth.federation.saml.metadata import Described, described, own_metadata
from cairn.auth.federation.saml.request import login_address

__all__ = ["Assertion", "Described", "Expected", "believed", "described", "login_address", "own_metadata"]
