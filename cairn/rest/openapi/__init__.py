"""Serves `/rest/v1/`: the OpenAPI description of the tables, views and functions that the caller may use."""

from cairn.rest.openapi.endpoint import describe_api

__all__ = ["describe_api"]
