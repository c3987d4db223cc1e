"""`ask-support` sends a message from a user of a company to the operator."""

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.company import require_company_user
from cairn.functions.parameters import parse_parameters
from cairn.inquiries import Author, parse_inquiry, receive_inquiry


class _Parameters(BaseModel):
    subject: str = ""
    message: str = ""
    # The id of a waiver, or its first eight characters, which the pages show.
    waiver: str = ""


async def ask_support(call: Call) -> Response:
    person = await require_company_user(call)
    # Name and address come from the account, so a user cannot write under another name.
    account = {"name": person.name or person.email, "email": person.email, "company": person.company_name}
    inquiry = parse_inquiry("support", {**account, **parse_parameters(call.body, _Parameters).model_dump()})
    author = Author(call.network, user_id=call.principal.user_id, company_id=person.company_id)
    inquiry_id = await receive_inquiry(call.database, inquiry, author, call.context.inquiries)
    call.notifier.notify()
    return JSONResponse({"id": str(inquiry_id), "answerTo": person.email}, 201)
