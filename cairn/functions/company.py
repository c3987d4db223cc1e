"""Checks that a member of a company is calling."""

from cairn.accounts import CompanyPerson, company_person
from cairn.functions.call import Call
from cairn.functions.errors import OnlyCompaniesConnect, OnlyCompaniesSend
from cairn.kit import Problem


async def connecting_company(call: Call) -> CompanyPerson:
    return await calling_company(call, OnlyCompaniesConnect)


async def calling_company(call: Call, otherwise: type[Problem] = OnlyCompaniesSend) -> CompanyPerson:
    if call.principal.user_id is None:
        raise otherwise
    async with call.database.acting_as(call.principal, read_only=True) as connection:
        person = await company_person(connection)
    if person is None:
        raise otherwise
    return person
