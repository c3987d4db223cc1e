"""`push-key`: the key of the house, which a browser names when it asks to be told."""

from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call


async def push_key(call: Call) -> Response:
    return JSONResponse({"key": call.tools.push_key})
