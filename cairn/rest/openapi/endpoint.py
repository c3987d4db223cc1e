"""Answers requests for the root of the API with the OpenAPI document."""

import json
from collections.abc import Mapping

from cairn.db import Database, Principal
from cairn.rest.catalog import Catalog
from cairn.rest.errors import MediaTypeNotAvailable, MethodNotSupported, OpenApiDisabled
from cairn.rest.openapi.document import MEDIA_TYPE, Rights, describe
from cairn.rest.request import HttpRequest, choose_schema
from cairn.rest.response import Response
from cairn.rest.run import read_rights
from cairn.rest.settings import RestSettings

_METHODS = ("GET", "HEAD", "OPTIONS")
_ACCEPTED_MEDIA_TYPES = frozenset({"", "*/*", "application/*", "application/json", MEDIA_TYPE})


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
    privileges = json.loads(await read_rights(database, principal, schema))
    rights = Rights(privileges["tables"], frozenset(privileges["functions"]), privileges["comments"])
    document = describe(catalog, schema, rights, base_path=request.root_path)
    return Response(200, {"Content-Type": f"{MEDIA_TYPE}; charset=utf-8"}, json.dumps(document).encode())


def _check_accept(headers: Mapping[str, str]) -> None:
    accept = headers.get("accept", "")
    if not any(part.partition(";")[0].strip().lower() in _ACCEPTED_MEDIA_TYPES for part in accept.split(",")):
        raise MediaTypeNotAvailable(types=accept)
