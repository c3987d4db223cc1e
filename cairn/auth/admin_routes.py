"""What an administrator may ask: everything here needs the service key."""

from urllib.parse import urlencode
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from cairn.auth.administer import (
    AdminChange,
    add_user,
    change_as_admin,
    delete_user,
    list_users,
    user_by_id,
)
from cairn.auth.door import answer, ask_of, body_of, caller_of, context_of, only_admins
from cairn.auth.errors_by_mail import AdminInputInvalid, EmailMissing, UserIdInvalid
from cairn.auth.generate_link import LINK_TYPES, LinkWish, generate_link
from cairn.auth.invite import invite
from cairn.auth.model import ban_until, email_address, phone_number
from cairn.auth.wire import AdminUserBody, DeleteBody, InviteBody, LinkBody, user_json
from cairn.kit import now

DEFAULT_PER_PAGE = 50
LARGEST_PAGE = 1000
LARGEST_NUMBER = 1_000_000


async def post_invite(request: Request) -> Response:
    only_admins(request)
    body = await body_of(request, InviteBody)
    if not body.email:
        raise EmailMissing
    person = await invite(context_of(request), email_address(body.email), body.data or {}, ask_of(request, body))
    return answer(user_json(person))


async def post_generate_link(request: Request) -> Response:
    only_admins(request)
    body = await body_of(request, LinkBody)
    if body.type not in LINK_TYPES:
        raise AdminInputInvalid(reason=f"Type must be one of {', '.join(LINK_TYPES)}")
    if not body.email:
        raise EmailMissing
    wish = LinkWish(
        kind=body.type,
        email=email_address(body.email),
        new_email=email_address(body.new_email) if body.new_email else None,
        password=body.password or None,
        data=body.data or {},
    )
    made = await generate_link(context_of(request), wish, ask_of(request, body))
    return answer(user_json(made.person) | made.properties)


async def get_admin_users(request: Request) -> Response:
    only_admins(request)
    page = _number(request, "page", 1, LARGEST_NUMBER)
    per_page = _number(request, "per_page", DEFAULT_PER_PAGE, LARGEST_PAGE)
    words = request.query_params.get("filter", "").replace("\x00", "")
    people, total = await list_users(context_of(request), words, page, per_page)
    users = {"users": [user_json(person) for person in people], "aud": "authenticated"}
    return answer(users, **{"X-Total-Count": str(total), "Link": _pages(page, per_page, total)})


async def post_admin_users(request: Request) -> Response:
    only_admins(request)
    body = await body_of(request, AdminUserBody)
    person = await add_user(context_of(request), _change(body), caller_of(request), user_id=body.id)
    return answer(user_json(person))


async def get_admin_user(request: Request) -> Response:
    only_admins(request)
    return answer(user_json(await user_by_id(context_of(request), _user_id(request))))


async def put_admin_user(request: Request) -> Response:
    only_admins(request)
    user_id = _user_id(request)
    body = await body_of(request, AdminUserBody)
    return answer(user_json(await change_as_admin(context_of(request), user_id, _change(body), caller_of(request))))


async def delete_admin_user(request: Request) -> Response:
    only_admins(request)
    user_id = _user_id(request)
    # Some clients send no body at all.
    body = await body_of(request, DeleteBody) if request.headers.get("content-length", "0") != "0" else DeleteBody()
    await delete_user(context_of(request), user_id, caller_of(request), softly=bool(body.should_soft_delete))
    return answer({})


def _change(body: AdminUserBody) -> AdminChange:
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
        ban=bool(body.ban_duration),
        banned_until=ban_until(body.ban_duration, now()) if body.ban_duration else None,
    )


def _user_id(request: Request) -> UUID:
    try:
        return UUID(request.path_params["user_id"])
    except ValueError as malformed:
        raise UserIdInvalid from malformed


def _number(request: Request, name: str, default: int, largest: int) -> int:
    given = request.query_params.get(name) or str(default)
    if not given.isascii() or not given.isdigit() or len(given) > 9 or int(given) == 0:
        raise AdminInputInvalid(reason=f"Bad Pagination Parameters: {name} must be a number from 1")
    return min(int(given), largest)


def _pages(page: int, per_page: int, total: int) -> str:
    """`page` comes first: the client reads the first number it finds."""
    last = max(1, -(-total // per_page))
    links = [(page + 1, "next")] if page < last else []
    return ", ".join(
        f'</admin/users?{urlencode({"page": number, "per_page": per_page})}>; rel="{name}"'
        for number, name in [*links, (last, "last")]
    )
