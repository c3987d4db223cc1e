"""Renders an image in another size, quality or format. Nothing is cached: each request renders again.

Anyone may request images of public buckets, so rendering is limited. It runs in two processes with limited time and
memory. One network renders one image at a time, and networks take turns. An IPv6 /48 network counts as one network.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from cairn.kit import FairTurns, PoolSize, SandboxFailed, SandboxLimits, SandboxPool, first_wrong_field, preload
from cairn.limits import larger_network_of
from cairn.storage.context import StorageContext
from cairn.storage.errors import ImageTooLarge, InvalidRequest, InvalidSignature
from cairn.storage.model import StoredObject
from cairn.storage.read import content_disposition, read_whole_object
from cairn.storage.transform import Transformation, transform

_MEGABYTE = 1024 * 1024
_MAX_FILE_BYTES = 25 * _MEGABYTE
_LIMITS = SandboxLimits(cpu_seconds=6, wall_seconds=20, memory_bytes=1024 * _MEGABYTE, output_bytes=32 * _MEGABYTE)
_MAX_PROCESSES = 2

preload(["cairn.storage.transform"])
_processes = SandboxPool(
    _LIMITS, PoolSize(processes=_MAX_PROCESSES, processes_per_key=_MAX_PROCESSES, calls_per_process=200)
)
# A request reads the original only when its turn has come, so that waiting requests need no memory.
_turns = FairTurns(running=_MAX_PROCESSES, running_per_key=1, waiting=64, waiting_per_key=16)


def parse_transformation(parameters: Mapping[str, Any]) -> Transformation:
    fields = {name: value for name, value in parameters.items() if name in Transformation.model_fields}
    try:
        return Transformation.model_validate(fields)
    except ValidationError as error:
        wrong = first_wrong_field(error)
        name = f"{wrong.name('/')}: " if wrong.location else ""
        raise InvalidRequest(reason=f"{name}{wrong.reason}") from error


async def render(
    context: StorageContext, request: Request, stored_object: StoredObject, transformation: Transformation
) -> Response:
    if stored_object.size > _MAX_FILE_BYTES:
        raise ImageTooLarge(reason="it is larger than 25 MB")
    network = larger_network_of(request.client and request.client.host)
    accepts_webp = "image/webp" in request.headers.get("accept", "")
    await _turns.enter(network)
    try:
        if await request.is_disconnected():
            raise ClientDisconnect
        body = await read_whole_object(context, stored_object)
        original = b"".join([chunk async for chunk in body])
        rendered, media_type = await _processes.run(network, transform, original, transformation, accepts_webp)
    except SandboxFailed as error:
        raise ImageTooLarge(reason="it takes too much time or memory") from error
    finally:
        _turns.leave(network)
    headers = {"X-Transformations": str(transformation), "Cache-Control": stored_object.cache_control, "Vary": "Accept"}
    if (name := request.query_params.get("download")) is not None:
        headers["Content-Disposition"] = content_disposition(name)
    return Response(rendered, media_type=media_type, headers=headers)


def parse_signed_transformation(claims: Mapping[str, Any] | None) -> Transformation:
    """Reads the transformation from the token, so that the holder of a signed URL cannot choose another size."""
    if claims is None:
        raise InvalidSignature
    return parse_transformation(claims)
