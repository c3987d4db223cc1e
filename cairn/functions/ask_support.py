"""`ask-support`: a message from a company to the operator, in the name of the account it is written from."""

from pydantic import BaseModel
from starlette.responses import JSONResponse, Response

from cairn.functions.call import Call
from cairn.functions.company import calling_company
from cairn.functions.parameters import asked
from cairn.inquiries import Writer, read_form, receive


class _Asked(BaseModel):
    subject: str = ""
    message: str = ""
    # The whole id of a waiver, or the eight characters of it that the pages show.
    waiver: str = ""


async def ask_support(call: Call) -> Response:
    person = await calling_company(call)
    account = {"name": person.name or person.email, "email": person.email, "company": person.company_name}
    inquiry = read_form("support", {**account, **asked(call.body, _Asked).model_dump()})
    writer = Writer(network=None, user_id=call.principal.user_id, company_id=person.company_id)
    inquiry_id = await receive(call.database, inquiry, writer, call.tools.inquiries)
    call.notifier.notify()
    return JSONResponse({"id": str(inquiry_id), "answerTo": person.email}, 201)
