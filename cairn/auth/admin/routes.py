"""These routes all require the service key."""

import math
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.auth.admin.ban import ban_until
from cairn.auth.admin.bodies import (
    AdminUserBody,
    DeleteUserBody,
    GenerateLinkBody,
    InviteBody,
    SsoProviderBody,
    sso_provider_json,
)
from cairn.auth.admin.sso_providers import NewProvider, add_provider, list_providers, provider_by_id, remove_provider
from cairn.auth.admin.users import AdminChange, add_user, change_as_admin, delete_user, list_users, user_by_id
from cairn.auth.bodies import user_json
from cairn.auth.email_links import LINK_TYPES, LinkParameters, generate_link, invite
from cairn.auth.errors import AdminInputInvalid, EmailMissing, SsoProviderNotFound, UserIdInvalid
from cairn.auth.http import caller_of, context_of, email_link_request, json_response, parse_body, path_id, require_admin
from cairn.auth.model import email_address, phone_number
from cairn.kit import Routes, now

ROUTES = Routes()

DEFAULT_PER_PAGE = 50
MAX_PER_PAGE = 1000
MAX_PAGE = 1_000_000
# Longer page numbers are rejected before they are converted to an integer.
MAX_PAGE_DIGITS = 9


@ROUTES.post("/invite")
async def post_invite(request: Request) -> Response:
    require_admin(request)
    body = await parse_body(request, InviteBody)
    if not body.email:
        raise EmailMissing
    user = await invite(
        context_of(request), email_address(body.email), body.data or {}, email_link_request(request, body)
    )
    return json_response(user_json(user))


@ROUTES.post("/admin/generate_link")
async def post_generate_link(request: Request) -> Response:
    require_admin(request)
    body = await parse_body(request, GenerateLinkBody)
    if body.type not in LINK_TYPES:
        raise AdminInputInvalid(reason=f"Type must be one of {', '.join(LINK_TYPES)}")
    if not body.email:
        raise EmailMissing
    parameters = LinkParameters(
        kind=body.type,
        email=email_address(body.email),
        new_email=email_address(body.new_email) if body.new_email else None,
        password=body.password or None,
        data=body.data or {},
    )
    link = await generate_link(context_of(request), parameters, email_link_request(request, body))
    return json_response(user_json(link.user) | link.properties)


@ROUTES.get("/admin/users")
async def get_admin_users(request: Request) -> Response:
    require_admin(request)
    page = _page_parameter(request, "page", 1, MAX_PAGE)
    per_page = _page_parameter(request, "per_page", DEFAULT_PER_PAGE, MAX_PER_PAGE)
    search = request.query_params.get("filter", "").replace("\x00", "")
    users, total = await list_users(context_of(request), search, page, per_page)
    body = {"users": [user_json(user) for user in users], "aud": "authenticated"}
    return json_response(body, **{"X-Total-Count": str(total), "Link": _link_header(page, per_page, total)})


@ROUTES.post("/admin/users")
async def post_admin_users(request: Request) -> Response:
    require_admin(request)
    body = await parse_body(request, AdminUserBody)
    user = await add_user(context_of(request), _admin_change(body), caller_of(request), user_id=body.id)
    return json_response(user_json(user))


@ROUTES.get("/admin/users/{user_id}")
async def get_admin_user(request: Request) -> Response:
    require_admin(request)
    return json_response(user_json(await user_by_id(context_of(request), path_id(request, "user_id", UserIdInvalid))))


@ROUTES.put("/admin/users/{user_id}")
async def put_admin_user(request: Request) -> Response:
    require_admin(request)
    user_id = path_id(request, "user_id", UserIdInvalid)
    body = await parse_body(request, AdminUserBody)
    return json_response(
        user_json(await change_as_admin(context_of(request), user_id, _admin_change(body), caller_of(request)))
    )


@ROUTES.delete("/admin/users/{user_id}")
async def delete_admin_user(request: Request) -> Response:
    require_admin(request)
    user_id = path_id(request, "user_id", UserIdInvalid)
    body = DeleteUserBody()
    # Some clients send no body at all.
    if request.headers.get("content-length", "0") != "0":
        body = await parse_body(request, DeleteUserBody)
    await delete_user(context_of(request), user_id, caller_of(request), soft=bool(body.should_soft_delete))
    return json_response({})


@ROUTES.post("/admin/sso/providers")
async def post_sso_provider(request: Request) -> Response:
    require_admin(request)
    body = await parse_body(request, SsoProviderBody)
    new_provider = NewProvider(body.metadata_xml, body.domains or (), body.attribute_mapping or {}, body.company_id)
    provider = await add_provider(context_of(request), new_provider, caller_of(request))
    return JSONResponse(sso_provider_json(provider), 201, {"Cache-Control": "no-store"})


@ROUTES.get("/admin/sso/providers")
async def get_sso_providers(request: Request) -> Response:
    require_admin(request)
    return json_response(
        {"items": [sso_provider_json(provider) for provider in await list_providers(context_of(request))]}
    )


@ROUTES.get("/admin/sso/providers/{provider_id}")
async def get_sso_provider(request: Request) -> Response:
    require_admin(request)
    provider_id = path_id(request, "provider_id", SsoProviderNotFound)
    return json_response(sso_provider_json(await provider_by_id(context_of(request), provider_id)))


@ROUTES.delete("/admin/sso/providers/{provider_id}")
async def delete_sso_provider(request: Request) -> Response:
    require_admin(request)
    provider_id = path_id(request, "provider_id", SsoProviderNotFound)
    return json_response(sso_provider_json(await remove_provider(context_of(request), provider_id, caller_of(request))))


def _admin_change(body: AdminUserBody) -> AdminChange:
    if (body.role or "authenticated") != "authenticated":
        raise AdminInputInvalid(reason="The database role of a person is always authenticated")
    return AdminChange(
        email=email_address(body.email) if body.email else None,
        phone=phone_number(body.phone) if body.phone else None,
        password=body.password or None,
        password_hash=body.password_hash or None,
        email_confirm=bool(body.email_confirm),
        phone_confirm=bool(body.phone_confirm),
        user_metadata=body.user_metadata or {},
        app_metadata=body.app_metadata or {},
        changes_ban=bool(body.ban_duration),
        banned_until=ban_until(body.ban_duration, now()) if body.ban_duration else None,
    )


def _page_parameter(request: Request, name: str, default: int, maximum: int) -> int:
    text = request.query_params.get(name) or str(default)
    if not text.isascii() or not text.isdigit() or len(text) > MAX_PAGE_DIGITS or int(text) == 0:
        raise AdminInputInvalid(reason=f"Bad Pagination Parameters: {name} must be a number from 1")
    return min(int(text), maximum)


def _link_header(page: int, per_page: int, total: int) -> str:
    """Returns the `Link` header with the URLs of the next and the last page.

    `page` is the first parameter of each URL, because clients read the first number that they find.
    """
    last_page = max(1, math.ceil(total / per_page))
    next_link = [(page + 1, "next")] if page < last_page else []
    return ", ".join(
        f'</admin/users?{urlencode({"page": number, "per_page": per_page})}>; rel="{name}"'
        for number, name in [*next_link, (last_page, "last")]
    )
