"""The part of SAML 2.0 that signs users in: a redirect to the provider, and a form posted back. No database here.

`signxml` verifies the signatures. `assertion` checks what a signed assertion must contain.
"""

from cairn.auth.federation.saml.assertion import Assertion, ExpectedResponse, verify_response
from cairn.auth.federation.saml.metadata import IdpMetadata, parse_metadata, service_provider_metadata
from cairn.auth.federation.saml.request import login_url
from cairn.auth.federation.saml.xml import SamlError

__all__ = [
    "Assertion",
    "ExpectedResponse",
    "IdpMetadata",
    "SamlError",
    "login_url",
    "parse_metadata",
    "service_provider_metadata",
    "verify_response",
]
