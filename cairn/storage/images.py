"""The three doors to a rendered picture."""

from starlette.requests import Request
from starlette.responses import Response

from cairn.db import SERVICE
from cairn.storage.context import StorageContext
from cairn.storage.read import find, find_public
from cairn.storage.render import render, signed_transformation, transformation
from cairn.storage.request import place, principal
from cairn.storage.signing import linked


async def render_public(context: StorageContext, request: Request) -> Response:
    found = await find_public(context, place(request))
    return await render(context, request, found, transformation(request.query_params))


async def render_authenticated(context: StorageContext, request: Request) -> Response:
    found = await find(context, principal(context, request), place(request))
    return await render(context, request, found, transformation(request.query_params))


async def render_signed(context: StorageContext, request: Request) -> Response:
    where = place(request)
    link = linked(context, request, where, "download")
    found = await find(context, SERVICE, where)
    return await render(context, request, found, signed_transformation(link.transform))
