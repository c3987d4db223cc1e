"""Handles the three routes to a resized image: public, authenticated and signed."""

from starlette.requests import Request
from starlette.responses import Response

from cairn.db import SERVICE
from cairn.storage.context import StorageContext
from cairn.storage.read import find_object, find_public_object
from cairn.storage.render import parse_signed_transformation, parse_transformation, render
from cairn.storage.request import authenticate, path_of
from cairn.storage.signing import verify_signed_url


async def render_public(context: StorageContext, request: Request) -> Response:
    stored_object = await find_public_object(context, path_of(request))
    return await render(context, request, stored_object, parse_transformation(request.query_params))


async def render_authenticated(context: StorageContext, request: Request) -> Response:
    stored_object = await find_object(context, authenticate(context, request), path_of(request))
    return await render(context, request, stored_object, parse_transformation(request.query_params))


async def render_signed(context: StorageContext, request: Request) -> Response:
    path = path_of(request)
    claims = verify_signed_url(context, request, path, "download")
    stored_object = await find_object(context, SERVICE, path)
    return await render(context, request, stored_object, parse_signed_transformation(claims.transform))
