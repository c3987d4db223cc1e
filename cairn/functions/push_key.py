"""`push-key` returns the server's public key, with which a browser subscribes to push messages."""

from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call


async def push_key(call: Call) -> Response:
    return JSONResponse({"key": call.context.push_key})
