"""Every caller tries every verb on every table and view, and may only reach their own rows.

The tables come from the catalog. A new table without policies shows its row to strangers and fails the test.
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
from tests.rest.sample_rows import MARK, Relation, add_row_to_every_table, relations, sample_id

OPEN_TO_ALL = {"consent_texts": "the text every signer agrees to"}
"""Tables whose rows belong to no company, each with the reason."""

BY_EXACT_ID = {"waiver_sessions": "waivers.sessions", "waiver_templates": "waiver_templates"}
"""Anyone who knows the id may read; tested in test_exact_id."""

OWN_ROWS = {"profiles": 1, "companies": 1, "waiver_templates": 3, "waiver_template_versions": 3}
"""Rows that a stranger may count: their own profile and company, and the three sample templates."""

STRANGERS = ["no token", "anon", "guest", "rival", "unproven"]
"""\"unproven\" works for the company and has a second factor, but used only the password for this token."""

INVALID_TOKENS = ["expired", "forged", "alg none", "wrong key"]


class Cast:
    """The token of each caller, valid or forged."""

    def __init__(self, rosa: Person, bea: Person, kim: Person, gil: Person, mallory: Person) -> None:
        self.keyring = _keyring("a secret of the tests, and of nothing else")
        others = _keyring("the secret of another server, long enough")
        token = self._token(rosa)
        self.tokens = {
            "no token": None,
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
    """An employee of Rosa who has a second factor."""
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
async def exposed(admin: "asyncpg.Connection[asyncpg.Record]", cast: Cast, rosa: Person) -> list[Relation]:
    assert cast
    await add_row_to_every_table(admin, rosa)
    return await relations(admin)


@pytest_asyncio.fixture
async def matrix_client(database: Database, cast: Cast, exposed: list[Relation]) -> AsyncIterator[Client]:
    assert exposed
    app = service(database, principal_of=cast.keyring.principal, settings=RestSettings(), after_write=lambda: None)
    async with Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test") as client:
        yield client


@pytest.mark.accept("REST-23")
@pytest.mark.parametrize("who", STRANGERS)
async def test_strangers_neither_see_nor_change_a_row(
    matrix_client: Client, cast: Cast, exposed: list[Relation], admin: "asyncpg.Connection[asyncpg.Record]", who: str
) -> None:
    before = await _contents(admin, exposed)

    for relation in exposed:
        for label, response in await _try_every_verb(matrix_client, relation, cast.headers(who)):
            assert response.status_code < 500, (label, response.text)
            if relation.name not in OPEN_TO_ALL:
                assert MARK not in response.text, f"{who} sees {relation.name} by {label}"
                assert _id(relation) not in response.text, f"{who} sees {relation.name} by {label}"
                assert _counted(response) <= OWN_ROWS.get(relation.name, 0), f"{who} counts {relation.name} by {label}"

    assert await _contents(admin, exposed) == before


@pytest.mark.parametrize("who", INVALID_TOKENS)
async def test_an_invalid_token_is_rejected_everywhere(
    matrix_client: Client, cast: Cast, exposed: list[Relation], who: str
) -> None:
    for relation in exposed:
        for label, response in await _try_every_verb(matrix_client, relation, cast.headers(who)):
            assert response.status_code == 401, label
            assert "www-authenticate" in response.headers


@pytest.mark.parametrize("who", ["owner", "staff", "proven"])
async def test_the_company_sees_its_own_rows(
    matrix_client: Client, cast: Cast, exposed: list[Relation], admin: "asyncpg.Connection[asyncpg.Record]", who: str
) -> None:
    """Proves that the rows exist and are visible to their company; otherwise the other tests would prove nothing."""
    seen = 0
    for relation in exposed:
        if "company_id" not in relation.columns or not await _may_read(admin, relation):
            continue
        response = await matrix_client.get(f"/{relation.name}?select=*", headers=cast.headers(who))
        assert response.status_code == 200, response.text
        assert MARK in response.text or relation.name == "profiles", relation.name
        seen += 1
    assert seen >= 6


async def test_a_table_without_policies_fails_the_matrix(
    matrix_client: Client, cast: Cast, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await admin.execute("create table public.forgotten (id int primary key, note text)")
    await admin.execute("grant all on public.forgotten to anon, authenticated")
    forgotten = next(relation for relation in await relations(admin) if relation.name == "forgotten")

    for who in STRANGERS:
        await admin.execute(f"insert into public.forgotten values (1, '{MARK}') on conflict do nothing")
        responses = await _try_every_verb(matrix_client, forgotten, cast.headers(who))
        assert any(MARK in response.text for _, response in responses[:4]), who


async def _try_every_verb(
    matrix_client: Client, relation: Relation, headers: dict[str, str]
) -> list[tuple[str, httpx.Response]]:
    """Each verb with a narrow and a broad filter."""
    path, back = f"/{relation.name}", {**headers, "Prefer": "return=representation"}
    first, key = relation.columns[0], relation.key[0]
    forged = dict.fromkeys(relation.columns, "forged")
    requests: list[tuple[str, Any]] = [
        ("GET", matrix_client.get(f"{path}?select=*", headers=headers)),
        ("GET in", matrix_client.get(f"{path}?select=*&{key}=in.({_id(relation)})", headers=headers)),
        ("GET or", matrix_client.get(f"{path}?select=*&or=({first}.is.null,{first}.not.is.null)", headers=headers)),
        ("GET csv", matrix_client.get(f"{path}?select=*", headers={**headers, "Accept": "text/csv"})),
        ("HEAD", matrix_client.head(path, headers={**headers, "Prefer": "count=exact"})),
        ("POST", matrix_client.post(path, json={}, headers=back)),
        ("POST forged", matrix_client.post(path, json=forged, headers=back)),
        (
            "POST upsert",
            matrix_client.post(path, json={**forged, key: _id(relation)}, headers={**back, "Prefer": _MERGE}),
        ),
        ("PATCH", matrix_client.patch(f"{path}?{key}=not.is.null", json={first: None}, headers=back)),
        ("DELETE", matrix_client.delete(f"{path}?{key}=not.is.null", headers=back)),
        (
            "PUT",
            matrix_client.put(f"{path}?{key}=eq.{_id(relation)}", json={**forged, key: _id(relation)}, headers=back),
        ),
    ]
    return [(name, await request) for name, request in requests]


_MERGE = "resolution=merge-duplicates, return=representation"


def _id(relation: Relation) -> str:
    return sample_id(BY_EXACT_ID.get(relation.name, relation.name))


def _counted(response: httpx.Response) -> int:
    total = response.headers.get("content-range", "").rpartition("/")[2]
    return int(total) if total.isdigit() else 0


async def _may_read(admin: "asyncpg.Connection[asyncpg.Record]", relation: Relation) -> bool:
    may: bool = await admin.fetchval(
        "select has_table_privilege('authenticated', $1, 'select')", f"public.{relation.name}"
    )
    return may


async def _contents(admin: "asyncpg.Connection[asyncpg.Record]", exposed: list[Relation]) -> dict[str, str]:
    return {
        relation.name: await admin.fetchval(
            f"select coalesce(json_agg(t order by t::text), '[]')::text from \"{relation.name}\" t"
        )
        for relation in exposed
    }
