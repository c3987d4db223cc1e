"""The callers of the access matrix. The rows that they try to reach belong to Rosa's company."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from cairn.db import SERVICE, Database
from tests.factories import make_session, sign
from tests.people import Person, hire, sign_up
from tests.whole_app import WholeApp

CALLERS = {
    "no token": "has only the public project key",
    "guest": "is signed in, with a confirmed address, and has signed nothing",
    "unproven": "signed up with the address of a signer, and has not confirmed it",
    "signer": "confirmed the address with which they signed a waiver of the company",
    "rival": "owns another company",
    "password only": "works for the company and has a second factor, but used only the password",
    "staff": "works for the company",
    "owner": "owns the company",
    "service": "has the secret service key",
}
STRANGERS = ("no token", "guest", "unproven", "rival", "password only")


@dataclass(frozen=True, slots=True)
class Callers:
    headers: Mapping[str, dict[str, str]]
    tokens: Mapping[str, str]
    sessions: tuple[UUID, ...]
    """The sessions that were signed with the address of the unproven user, and with that of the signer."""


async def make_callers(
    database: Database, whole: WholeApp, *, rosa: Person, bea: Person, gil: Person, mallory: Person
) -> Callers:
    kim = await hire(database, "kim@rio-rafting.example", "Kim Aro", by=rosa)
    una = await sign_up(database, "una@example.com", "Una Vero", company=None, is_confirmed=False)
    sam = await sign_up(database, "sam@example.com", "Sam Noor", company=None)
    sessions = []
    for signer in (una, sam):
        sessions.append(await make_session(database, rosa, email=signer.email))
        await sign(database, sessions[-1], signer_email=signer.email, name=signer.name)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            "insert into auth.mfa_factors (user_id, factor_type, status) values ($1, 'totp', 'verified')", kim.id
        )
        await connection.execute(
            "update auth.users set email_confirmed_at = now() where id = any ($1)",
            [person.id for person in (gil, sam, rosa, bea, mallory, kim)],
        )
    people = {"guest": gil, "unproven": una, "signer": sam, "rival": mallory, "staff": bea, "owner": rosa}
    tokens = {
        "no token": whole.keyring.anon_key,
        "password only": await _sign_in(database, whole, kim, aal="aal1"),
        "service": whole.keyring.service_key,
        **{name: await _sign_in(database, whole, person) for name, person in people.items()},
    }
    headers = {name: {"apikey": whole.keyring.anon_key, "Authorization": f"Bearer {tokens[name]}"} for name in CALLERS}
    headers["service"]["apikey"] = whole.keyring.service_key
    return Callers(headers, tokens, tuple(sessions))


async def _sign_in(database: Database, whole: WholeApp, person: Person, **claims: str) -> str:
    async with database.acting_as(SERVICE) as connection:
        session = await connection.fetchval("insert into auth.sessions (user_id) values ($1) returning id", person.id)
    return whole.token(person, session_id=str(session), **claims)
