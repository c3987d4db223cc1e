"""`text-messages` returns whether this server has an SMS gateway. Pages offer text messages only then."""

from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call


async def text_messages(call: Call) -> Response:
    return JSONResponse({"offered": call.context.messaging.offers_texts})
