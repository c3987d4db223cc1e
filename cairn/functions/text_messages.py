"""`text-messages`: whether this server has a gateway for them, so that nobody is offered what there is not."""

from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call


async def text_messages(call: Call) -> Response:
    return JSONResponse({"offered": call.tools.messaging.offers_texts})
