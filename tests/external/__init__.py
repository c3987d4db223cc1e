"""Local replacements of external servers: an OpenID provider and a company's SAML identity provider.

`python -m tests.external PORT` serves both, for the contract tests in TypeScript.
"""
