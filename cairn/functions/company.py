"""Checks that the caller is a user of a company."""

from cairn.accounts import CompanyPerson, company_person
from cairn.functions.call import Call
from cairn.functions.errors import CompanySuspended, OnlyCompaniesSend
from cairn.kit import Problem


async def require_company_user(call: Call, problem: type[Problem] = OnlyCompaniesSend) -> CompanyPerson:
    """Returns the caller with their company. Raises `problem` for visitors and guests."""
    if call.principal.user_id is None:
        raise problem
    async with call.database.acting_as(call.principal, read_only=True) as connection:
        person = await company_person(connection)
    if person is None:
        raise problem
    return person


async def require_active_company(call: Call, problem: type[Problem] = OnlyCompaniesSend) -> CompanyPerson:
    """Like `require_company_user`, for calls that send or change something. Refuses suspended companies."""
    person = await require_company_user(call, problem)
    if person.is_suspended:
        raise CompanySuspended
    return person
