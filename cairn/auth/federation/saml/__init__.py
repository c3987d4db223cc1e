"""This package implements the part of SAML 2.0 that signs users in.

The browser is redirected to the provider and later posts a form back to us. `signxml` verifies the signatures, and
`assertion` checks the content of the signed assertion. Nothing here uses the database.
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
