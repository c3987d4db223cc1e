"""Functions only a company may call."""

from cairn.accounts import CompanyPerson, company_person
from cairn.functions.call import Call
from cairn.functions.errors import OnlyCompaniesSend


async def calling_company(call: Call) -> CompanyPerson:
    if call.principal.user_id is None:
        raise OnlyCompaniesSend
    async with call.database.acting_as(call.principal, read_only=True) as connection:
        person = await company_person(connection)
    if person is None:
        raise OnlyCompaniesSend
    return person
