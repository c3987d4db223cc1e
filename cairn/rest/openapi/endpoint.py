"""The root of the API: which tables and functions the caller may use."""

import json
from collections.abc import Mapping

from cairn.db import Database, Principal
from cairn.rest.catalog import Catalog
from cairn.rest.errors import MethodNotSupported, NoSuchMediaType, OpenApiDisabled
from cairn.rest.openapi.document import MEDIA, Rights, describe
from cairn.rest.request import HttpRequest, choose_schema
from cairn.rest.response import Response
from cairn.rest.run import read_rights
from cairn.rest.settings import RestSettings

_METHODS = ("GET", "HEAD", "OPTIONS")
_ACCEPTED = frozenset({"", "*/*", "application/*", "application/json", MEDIA})


async def describe_api(
    database: Database, settings: RestSettings, catalog: Catalog, principal: Principal, request: HttpRequest
) -> Response:
    if not settings.openapi:
        raise OpenApiDisabled
    if request.method not in _METHODS:
        raise MethodNotSupported(method=request.method)
    if request.method == "OPTIONS":
        return Response(200, {"Allow": ",".join(_METHODS)})
    _check_accept(request.headers)
    schema = choose_schema(request.headers.get("accept-profile"), settings.schemas)
    found = json.loads(await read_rights(database, principal, schema))
    rights = Rights(found["tables"], frozenset(found["functions"]), found["comments"])
    document = describe(catalog, schema, rights, base_path=request.root_path)
    return Response(200, {"Content-Type": f"{MEDIA}; charset=utf-8"}, json.dumps(document).encode())


def _check_accept(headers: Mapping[str, str]) -> None:
    accept = headers.get("accept", "")
    if not any(part.partition(";")[0].strip().lower() in _ACCEPTED for part in accept.split(",")):
        raise NoSuchMediaType(types=accept)
