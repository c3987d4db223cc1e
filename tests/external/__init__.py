"""Other people's servers, as real as it takes: an OpenID provider and a company's SAML identity provider.

`python -m tests.external PORT` serves both, for tests that are not written in Python.
"""
