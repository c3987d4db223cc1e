"""Every table and view, by every verb, asked by everybody: whose rows they are is all that counts.

Nothing here knows the tables by name. One that is added without policies shows its row to somebody, and fails.
"""

import base64
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring, new_signing_key
from cairn.db import SERVICE, Database
from cairn.kit import now
from cairn.rest import RestSettings, service
from tests.cast import Person, hire
from tests.rest.conftest import Client
from tests.rest.sample_rows import MARK, Relation, hand_over, own_id, relations

OPEN_TO_ALL = {"consent_texts": "what every signer is asked to agree to"}
"""Tables whose rows are nobody's. Each with the reason."""

BY_EXACT_ID = {"waiver_sessions": "waivers.sessions", "waiver_templates": "waiver_templates"}
"""Whoever holds the id may read: told in test_exact_id."""

ONES_OWN = {"profiles": 1, "companies": 1, "waiver_templates": 3, "waiver_template_versions": 3}
"""People count themselves and their company, and companies the three samples."""

STRANGERS = ["nobody", "anon", "guest", "rival", "unproven"]
"""The last has the company's rows, a second factor, and a token that was given for the password alone."""

NOT_BELIEVED = ["expired", "forged", "alg none", "wrong key"]


class Cast:
    """Everybody's token, made by the real keyring or against it."""

    def __init__(self, rosa: Person, bea: Person, kim: Person, gil: Person, mallory: Person) -> None:
        self.keyring = _keyring("a secret of the tests, and of nothing else")
        others = _keyring("somebody else's secret, of the same length")
        token = self._token(rosa)
        self.tokens = {
            "nobody": None,
            "anon": self.keyring.anon_key,
            "guest": self._token(gil),
            "rival": self._token(mallory),
            "owner": token,
            "staff": self._token(bea),
            "unproven": self._token(kim, aal="aal1"),
            "proven": self._token(kim, aal="aal2"),
            "expired": self.keyring.access_token(_claims(rosa), now() - timedelta(days=2)),
            "forged": _with_claims(token, role="service_role"),
            "alg none": _unsigned(token),
            "wrong key": others.access_token(_claims(rosa), now()),
        }

    def _token(self, person: Person, **claims: str) -> str:
        return self.keyring.access_token({**_claims(person), **claims}, now())

    def headers(self, who: str) -> dict[str, str]:
        token = self.tokens[who]
        return {"Authorization": f"Bearer {token}"} if token else {}


def _keyring(secret: str) -> Keyring:
    return Keyring(AuthSettings.model_validate({"jwt_secret": secret, "signing_key": new_signing_key()}))


def _claims(person: Person) -> dict[str, Any]:
    return {"sub": str(person.id), "email": person.email}


def _with_claims(token: str, **changed: str) -> str:
    head, claims, signature = token.split(".")
    return f"{head}.{_encoded({**_decoded(claims), **changed})}.{signature}"


def _unsigned(token: str) -> str:
    return f"{_encoded({'alg': 'none', 'typ': 'JWT'})}.{token.split('.')[1]}."


def _decoded(part: str) -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return decoded


def _encoded(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


@pytest_asyncio.fixture
async def kim(database: Database, rosa: Person) -> Person:
    """Works for Rosa, and has a second factor."""
    kim = await hire(database, "kim@rio-rafting.example", "Kim Aro", by=rosa)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            "insert into auth.mfa_factors (user_id, factor_type, status) values ($1, 'totp', 'verified')", kim.id
        )
    return kim


@pytest.fixture
def cast(rosa: Person, bea: Person, kim: Person, gil: Person, mallory: Person) -> Cast:
    return Cast(rosa, bea, kim, gil, mallory)


@pytest_asyncio.fixture
async def held(admin: "asyncpg.Connection[asyncpg.Record]", cast: Cast, rosa: Person) -> list[Relation]:
    assert cast
    await hand_over(admin, rosa)
    return await relations(admin)


@pytest_asyncio.fixture
async def house(database: Database, cast: Cast, held: list[Relation]) -> AsyncIterator[Client]:
    assert held
    app = service(database, principal_of=cast.keyring.principal, settings=RestSettings(), after_write=lambda: None)
    async with Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test") as client:
        yield client


@pytest.mark.accept("REST-23")
@pytest.mark.parametrize("who", STRANGERS)
async def test_nobody_else_is_shown_or_changes_a_row(
    house: Client, cast: Cast, held: list[Relation], admin: "asyncpg.Connection[asyncpg.Record]", who: str
) -> None:
    before = await _contents(admin, held)

    for relation in held:
        for label, answer in await _everything(house, relation, cast.headers(who)):
            assert answer.status_code < 500, (label, answer.text)
            if relation.name not in OPEN_TO_ALL:
                assert MARK not in answer.text, f"{who} sees {relation.name} by {label}"
                assert _id(relation) not in answer.text, f"{who} sees {relation.name} by {label}"
                assert _counted(answer) <= ONES_OWN.get(relation.name, 0), f"{who} counts {relation.name} by {label}"

    assert await _contents(admin, held) == before


@pytest.mark.parametrize("who", NOT_BELIEVED)
async def test_a_token_that_is_not_ours_opens_nothing(
    house: Client, cast: Cast, held: list[Relation], who: str
) -> None:
    for relation in held:
        for label, answer in await _everything(house, relation, cast.headers(who)):
            assert answer.status_code == 401, label
            assert "www-authenticate" in answer.headers


@pytest.mark.parametrize("who", ["owner", "staff", "proven"])
async def test_the_company_sees_its_own(
    house: Client, cast: Cast, held: list[Relation], admin: "asyncpg.Connection[asyncpg.Record]", who: str
) -> None:
    """Without this the others would prove nothing: the rows are there, and shown to whom they belong."""
    seen = 0
    for relation in held:
        if "company_id" not in relation.columns or not await _may_read(admin, relation):
            continue
        answer = await house.get(f"/{relation.name}?select=*", headers=cast.headers(who))
        assert answer.status_code == 200, answer.text
        assert MARK in answer.text or relation.name == "profiles", relation.name
        seen += 1
    assert seen >= 6


async def test_a_table_without_policies_is_noticed(
    house: Client, cast: Cast, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await admin.execute("create table public.forgotten (id int primary key, words text)")
    await admin.execute("grant all on public.forgotten to anon, authenticated")
    forgotten = next(one for one in await relations(admin) if one.name == "forgotten")

    for who in STRANGERS:
        await admin.execute(f"insert into public.forgotten values (1, '{MARK}') on conflict do nothing")
        answers = await _everything(house, forgotten, cast.headers(who))
        assert any(MARK in answer.text for _, answer in answers[:4]), who


async def _everything(house: Client, relation: Relation, headers: dict[str, str]) -> list[tuple[str, httpx.Response]]:
    """Each verb in its plainest and its broadest form."""
    path, back = f"/{relation.name}", {**headers, "Prefer": "return=representation"}
    first, key = relation.columns[0], relation.key[0]
    forged = dict.fromkeys(relation.columns, "forged")
    requests: list[tuple[str, Any]] = [
        ("GET", house.get(f"{path}?select=*", headers=headers)),
        ("GET in", house.get(f"{path}?select=*&{key}=in.({_id(relation)})", headers=headers)),
        ("GET or", house.get(f"{path}?select=*&or=({first}.is.null,{first}.not.is.null)", headers=headers)),
        ("GET csv", house.get(f"{path}?select=*", headers={**headers, "Accept": "text/csv"})),
        ("HEAD", house.head(path, headers={**headers, "Prefer": "count=exact"})),
        ("POST", house.post(path, json={}, headers=back)),
        ("POST forged", house.post(path, json=forged, headers=back)),
        ("POST upsert", house.post(path, json={**forged, key: _id(relation)}, headers={**back, "Prefer": _MERGE})),
        ("PATCH", house.patch(f"{path}?{key}=not.is.null", json={first: None}, headers=back)),
        ("DELETE", house.delete(f"{path}?{key}=not.is.null", headers=back)),
        ("PUT", house.put(f"{path}?{key}=eq.{_id(relation)}", json={**forged, key: _id(relation)}, headers=back)),
    ]
    return [(name, await request) for name, request in requests]


_MERGE = "resolution=merge-duplicates, return=representation"


def _id(relation: Relation) -> str:
    return own_id(BY_EXACT_ID.get(relation.name, relation.name))


def _counted(answer: httpx.Response) -> int:
    total = answer.headers.get("content-range", "").rpartition("/")[2]
    return int(total) if total.isdigit() else 0


async def _may_read(admin: "asyncpg.Connection[asyncpg.Record]", relation: Relation) -> bool:
    may: bool = await admin.fetchval(
        "select has_table_privilege('authenticated', $1, 'select')", f"public.{relation.name}"
    )
    return may


async def _contents(admin: "asyncpg.Connection[asyncpg.Record]", held: list[Relation]) -> dict[str, str]:
    return {
        one.name: await admin.fetchval(
            f"select coalesce(json_agg(t order by t::text), '[]')::text from \"{one.name}\" t"
        )
        for one in held
    }
