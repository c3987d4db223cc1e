"""The owner or the operator requests the deletion of a company, or keeps the company."""

from datetime import datetime
from uuid import UUID

from cairn.accounts import (
    Company,
    confirmed_people,
    lock_company,
    log_operator_act,
    owned_company,
    schedule_company_deletion,
    unschedule_company_deletion,
)
from cairn.db import SERVICE, Connection, Database
from cairn.deletion.company_messages import OPERATOR, OWNER, company_kept_email, company_requested_email
from cairn.deletion.errors import CompanyIsBeingDeleted, DeletionNeedsSignIn, OnlyOwnersDelete, WaiversOnHold
from cairn.deletion.requester import Requester, limit_requests, log_act, require_recent_sign_in
from cairn.deletion.settings import DeletionSettings
from cairn.kit import now
from cairn.messaging import add_email
from cairn.translations import Text


async def request_company_deletion(
    database: Database, requester: Requester, settings: DeletionSettings, site_url: str
) -> datetime:
    """Schedules the deletion and returns its time. If it is scheduled already, that time stays."""
    user_id = await _signed_in_user(database, requester)
    async with database.acting_as(SERVICE) as connection:
        company = await _locked_company(connection, user_id)
        require_recent_sign_in(requester.principal, settings, now())
        if company.delete_at is not None:
            return company.delete_at
        await _refuse_holds(connection, company)
        await limit_requests(connection, user_id)
        await log_act(connection, user_id, "company_deletion_requested", requester.ip)
        return await _schedule(connection, company, OWNER, settings, site_url)


async def schedule_deletion_as_operator(
    connection: Connection, company: Company, settings: DeletionSettings, site_url: str
) -> datetime:
    """Does the same as `request_company_deletion` for the operator. The caller has locked the company."""
    _refuse_begun(company)
    if company.delete_at is not None:
        return company.delete_at
    await _refuse_holds(connection, company)
    await log_operator_act(connection, company.id, "company_deletion_requested")
    return await _schedule(connection, company, OPERATOR, settings, site_url)


async def keep_company(database: Database, requester: Requester, site_url: str) -> None:
    """The company can be kept until its deletion begins, even if a legal hold delays that."""
    user_id = await _signed_in_user(database, requester)
    async with database.acting_as(SERVICE) as connection:
        company = await _locked_company(connection, user_id)
        if company.delete_at is not None:
            await log_act(connection, user_id, "company_deletion_cancelled", requester.ip)
            await _keep(connection, company, OWNER, site_url)


async def keep_company_as_operator(connection: Connection, company: Company, site_url: str) -> None:
    _refuse_begun(company)
    if company.delete_at is not None:
        await log_operator_act(connection, company.id, "company_deletion_cancelled")
        await _keep(connection, company, OPERATOR, site_url)


async def _schedule(
    connection: Connection, company: Company, requested_by: Text, settings: DeletionSettings, site_url: str
) -> datetime:
    moment = now()
    delete_at = moment + settings.company_waiting_period
    await schedule_company_deletion(connection, company.id, delete_at)
    for person in await confirmed_people(connection, company.id):
        email = company_requested_email(
            person, company.name, requested_by, delete_at=delete_at, now=moment, site_url=site_url
        )
        await add_email(connection, email, company_id=None, keep_retrying=True)
    return delete_at


async def _keep(connection: Connection, company: Company, decided_by: Text, site_url: str) -> None:
    await unschedule_company_deletion(connection, company.id)
    for person in await confirmed_people(connection, company.id):
        email = company_kept_email(person, company.name, decided_by, now(), site_url)
        await add_email(connection, email, company_id=None, keep_retrying=True)


async def _signed_in_user(database: Database, requester: Requester) -> UUID:
    """Returns the id of the caller. A caller who has not passed the second factor counts as not signed in."""
    async with database.acting_as(requester.principal, read_only=True) as connection:
        user_id: UUID | None = await connection.fetchval("select auth.uid()")
    if user_id is None:
        raise DeletionNeedsSignIn
    return user_id


async def _locked_company(connection: Connection, user_id: UUID) -> Company:
    company_id = await owned_company(connection, user_id)
    if company_id is None:
        raise OnlyOwnersDelete
    company = await lock_company(connection, company_id)
    _refuse_begun(company)
    return company


def _refuse_begun(company: Company) -> None:
    if company.deleted_at is not None:
        raise CompanyIsBeingDeleted


async def _refuse_holds(connection: Connection, company: Company) -> None:
    held_count = await connection.fetchval("select waivers.count_held($1)", company.id)
    if held_count:
        raise WaiversOnHold(count=held_count)
