"""Every caller tries every verb on every table and view, and only reaches their own rows.

The list of tables comes from PostgreSQL. A new table without policies shows its row to strangers, so the test fails.
"""

import base64
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring, new_signing_key
from cairn.db import SERVICE, Connection, Database
from cairn.kit import now
from cairn.rest import RestSettings, service
from tests.people import Person, hire
from tests.rest.conftest import Client, client_for
from tests.rest.sample_rows import MARKER, Relation, add_row_to_every_table, list_exposed_relations, sample_id

OPEN_TO_ALL = {"consent_texts": "the text every signer agrees to"}
"""Everyone may read these tables, because their rows belong to no company. The value says what the rows are."""

READABLE_BY_EXACT_ID = {"waiver_sessions": "waivers.sessions", "waiver_templates": "waiver_templates"}
"""Anyone who knows the id of a row may read it here, as test_exact_id.py tests. The value is the table of the id."""

OWN_ROWS = {"profiles": 1, "companies": 1, "waiver_templates": 3, "waiver_template_versions": 3}
"""The value is the number of rows that a stranger may count: a profile, a company, and three sample templates."""

STRANGERS = ["no token", "anon", "guest", "rival", "staff without second factor"]
"""The last stranger works for the company and has a second factor, but used only the password for this token."""

INVALID_TOKENS = ["expired", "forged", "alg none", "wrong key"]


class Tokens:
    """Holds the token of each caller, valid or forged."""

    def __init__(self, rosa: Person, bea: Person, kim: Person, gil: Person, mallory: Person) -> None:
        self.keyring = _keyring("a secret that is used only in these tests")
        other_keyring = _keyring("the secret of another server, long enough")
        rosa_token = self._token(rosa)
        self.tokens = {
            "no token": None,
            "anon": self.keyring.anon_key,
            "guest": self._token(gil),
            "rival": self._token(mallory),
            "owner": rosa_token,
            "staff": self._token(bea),
            "staff without second factor": self._token(kim, aal="aal1"),
            "staff with second factor": self._token(kim, aal="aal2"),
            "expired": self.keyring.access_token(_claims(rosa), now() - timedelta(days=2)),
            "forged": _with_claims(rosa_token, role="service_role"),
            "alg none": _without_signature(rosa_token),
            "wrong key": other_keyring.access_token(_claims(rosa), now()),
        }

    def _token(self, person: Person, **claims: str) -> str:
        return self.keyring.access_token({**_claims(person), **claims}, now())

    def headers(self, caller: str) -> dict[str, str]:
        token = self.tokens[caller]
        return {"Authorization": f"Bearer {token}"} if token else {}


def _keyring(secret: str) -> Keyring:
    return Keyring(AuthSettings.model_validate({"jwt_secret": secret, "signing_key": new_signing_key()}))


def _claims(person: Person) -> dict[str, Any]:
    return {"sub": str(person.id), "email": person.email}


def _with_claims(token: str, **claim_changes: str) -> str:
    head, claims, signature = token.split(".")
    return f"{head}.{_encode({**_decode(claims), **claim_changes})}.{signature}"


def _without_signature(token: str) -> str:
    return f"{_encode({'alg': 'none', 'typ': 'JWT'})}.{token.split('.')[1]}."


def _decode(part: str) -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return decoded


def _encode(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


@pytest_asyncio.fixture
async def kim(database: Database, rosa: Person) -> Person:
    """Kim works for Rosa and has a second factor."""
    kim = await hire(database, "kim@rio-rafting.example", "Kim Aro", by=rosa)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            "insert into auth.mfa_factors (user_id, factor_type, status) values ($1, 'totp', 'verified')", kim.id
        )
    return kim


@pytest.fixture
def tokens(rosa: Person, bea: Person, kim: Person, gil: Person, mallory: Person) -> Tokens:
    return Tokens(rosa, bea, kim, gil, mallory)


@pytest_asyncio.fixture
async def exposed_relations(admin: Connection, tokens: Tokens, rosa: Person) -> list[Relation]:
    assert tokens
    await add_row_to_every_table(admin, rosa)
    return await list_exposed_relations(admin)


@pytest_asyncio.fixture
async def matrix_client(database: Database, tokens: Tokens, exposed_relations: list[Relation]) -> AsyncIterator[Client]:
    assert exposed_relations
    app = service(
        database,
        principal_of=tokens.keyring.principal,
        settings=RestSettings(anonymous_writes=100_000, account_writes=100_000),
        after_write=lambda: None,
    )
    async with client_for(app) as client:
        yield client


@pytest.mark.accept("REST-23")
@pytest.mark.parametrize("caller", STRANGERS)
async def test_strangers_can_neither_see_nor_change_a_row(
    matrix_client: Client, tokens: Tokens, exposed_relations: list[Relation], admin: Connection, caller: str
) -> None:
    rows_before = await all_rows(admin, exposed_relations)

    for relation in exposed_relations:
        for label, response in await _try_every_verb(matrix_client, relation, tokens.headers(caller)):
            assert response.status_code < 500, (label, response.text)
            if relation.name not in OPEN_TO_ALL:
                assert MARKER not in response.text, f"{caller} sees {relation.name} by {label}"
                assert _id(relation) not in response.text, f"{caller} sees {relation.name} by {label}"
                assert _total_count(response) <= OWN_ROWS.get(relation.name, 0), (
                    f"{caller} counts {relation.name} by {label}"
                )

    assert await all_rows(admin, exposed_relations) == rows_before


@pytest.mark.parametrize("caller", INVALID_TOKENS)
async def test_an_invalid_token_is_rejected_everywhere(
    matrix_client: Client, tokens: Tokens, exposed_relations: list[Relation], caller: str
) -> None:
    for relation in exposed_relations:
        for label, response in await _try_every_verb(matrix_client, relation, tokens.headers(caller)):
            assert response.status_code == 401, label
            assert "www-authenticate" in response.headers


@pytest.mark.parametrize("caller", ["owner", "staff", "staff with second factor"])
async def test_the_company_sees_its_own_rows(
    matrix_client: Client,
    tokens: Tokens,
    exposed_relations: list[Relation],
    admin: Connection,
    rosa: Person,
    caller: str,
) -> None:
    """Proves that the rows exist and are visible to their company. Otherwise the other tests would prove nothing."""
    visible_count = 0
    for relation in exposed_relations:
        if "company_id" not in relation.columns or not await _may_read(admin, relation):
            continue
        response = await matrix_client.get(f"/{relation.name}?select=*", headers=tokens.headers(caller))
        assert response.status_code == 200, response.text
        assert MARKER in response.text or str(rosa.company) in response.text, relation.name
        visible_count += 1
    assert visible_count >= 6


async def test_a_table_without_policies_fails_the_matrix(
    matrix_client: Client, tokens: Tokens, admin: Connection
) -> None:
    await admin.execute("create table public.forgotten (id int primary key, note text)")
    await admin.execute("grant all on public.forgotten to anon, authenticated")
    forgotten = next(relation for relation in await list_exposed_relations(admin) if relation.name == "forgotten")

    for caller in STRANGERS:
        await admin.execute(f"insert into public.forgotten values (1, '{MARKER}') on conflict do nothing")
        responses = await _try_every_verb(matrix_client, forgotten, tokens.headers(caller))
        assert any(MARKER in response.text for _, response in responses[:4]), caller


async def _try_every_verb(
    matrix_client: Client, relation: Relation, headers: dict[str, str]
) -> list[tuple[str, httpx.Response]]:
    """Sends every verb, with narrow and with broad filters."""
    path, return_rows = f"/{relation.name}", {**headers, "Prefer": "return=representation"}
    first_column, key = relation.columns[0], relation.key[0]
    forged_row = dict.fromkeys(relation.columns, "forged")
    requests: list[tuple[str, Any]] = [
        ("GET", matrix_client.get(f"{path}?select=*", headers=headers)),
        ("GET in", matrix_client.get(f"{path}?select=*&{key}=in.({_id(relation)})", headers=headers)),
        (
            "GET or",
            matrix_client.get(
                f"{path}?select=*&or=({first_column}.is.null,{first_column}.not.is.null)", headers=headers
            ),
        ),
        ("GET csv", matrix_client.get(f"{path}?select=*", headers={**headers, "Accept": "text/csv"})),
        ("HEAD", matrix_client.head(path, headers={**headers, "Prefer": "count=exact"})),
        ("POST", matrix_client.post(path, json={}, headers=return_rows)),
        ("POST forged", matrix_client.post(path, json=forged_row, headers=return_rows)),
        (
            "POST upsert",
            matrix_client.post(
                path, json={**forged_row, key: _id(relation)}, headers={**return_rows, "Prefer": _MERGE}
            ),
        ),
        ("PATCH", matrix_client.patch(f"{path}?{key}=not.is.null", json={first_column: None}, headers=return_rows)),
        ("DELETE", matrix_client.delete(f"{path}?{key}=not.is.null", headers=return_rows)),
        (
            "PUT",
            matrix_client.put(
                f"{path}?{key}=eq.{_id(relation)}", json={**forged_row, key: _id(relation)}, headers=return_rows
            ),
        ),
    ]
    return [(name, await request) for name, request in requests]


_MERGE = "resolution=merge-duplicates, return=representation"


def _id(relation: Relation) -> str:
    return sample_id(READABLE_BY_EXACT_ID.get(relation.name, relation.name))


def _total_count(response: httpx.Response) -> int:
    total = response.headers.get("content-range", "").rpartition("/")[2]
    return int(total) if total.isdigit() else 0


async def _may_read(admin: Connection, relation: Relation) -> bool:
    may_read: bool = await admin.fetchval(
        "select has_table_privilege('authenticated', $1, 'select')", f"public.{relation.name}"
    )
    return may_read


async def all_rows(admin: Connection, exposed_relations: list[Relation]) -> dict[str, str]:
    return {
        relation.name: await admin.fetchval(
            f"select coalesce(json_agg(t order by t::text), '[]')::text from \"{relation.name}\" t"
        )
        for relation in exposed_relations
    }
