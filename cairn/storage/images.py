"""The three doors to a rendered picture."""

from starlette.requests import Request
from starlette.responses import Response

from cairn.db import SERVICE
from cairn.storage.desk import Desk
from cairn.storage.door import place, principal
from cairn.storage.read import find, find_public
from cairn.storage.render import render, signed_transformation, transformation
from cairn.storage.signing import linked


async def render_public(desk: Desk, request: Request) -> Response:
    found = await find_public(desk, place(request))
    return await render(desk, request, found, transformation(request.query_params))


async def render_authenticated(desk: Desk, request: Request) -> Response:
    found = await find(desk, principal(desk, request), place(request))
    return await render(desk, request, found, transformation(request.query_params))


async def render_signed(desk: Desk, request: Request) -> Response:
    where = place(request)
    link = linked(desk, request, where, "download")
    found = await find(desk, SERVICE, where)
    return await render(desk, request, found, signed_transformation(link.transform))
