"""Random forms are signed with random answers. An independent verifier accepts the evidence, and finds each change."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from cairn.db import Database
from cairn.waivers import DocumentContext, Seal
from tests.independent_verifier import findings
from tests.people import Person
from tests.waivers.forms.packs import pack_of
from tests.waivers.forms.random_cases import random_form, random_request
from tests.waivers.forms.sample_forms import open_session, sign_form

WAIVER_COUNT = 20
CHANGES_PER_WAIVER = 12
# The verifier uses this salt only for participants with sensitive answers, so it misses some changes of the salt.
UNCHECKED = "sensitive_salt"

Leaf = tuple[list[str | int], Any]


@pytest.mark.accept("FORM-49")
async def test_an_independent_verifier_accepts_random_forms_and_finds_each_change(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    random = Random(190121)  # noqa: S311 - the forms must be the same each time
    for _ in range(WAIVER_COUNT):
        pack = await pack_of(database, documents, seal, rosa, await sign_random_form(database, rosa, random))
        assert findings(pack, [seal.certificate]) == []
        content = json.loads(pack["form.json"])
        for path, value in random.choices(list(leaves(content)), k=CHANGES_PER_WAIVER):
            changed_pack = {**pack, "form.json": json.dumps(with_change(content, path, value)).encode()}
            assert findings(changed_pack, [seal.certificate], with_manifest=False) != [], (path, content)


async def sign_random_form(database: Database, rosa: Person, random: Random) -> UUID:
    """Tries until a request fits its form, because some requests are wrong on purpose."""
    while True:
        form = random_form(random)
        content = "I ride. " + "I agree. [INITIALS] " * random.choice([0, 1, 2])
        request = random_request(random, form, content, datetime.now(UTC).date().isoformat())
        session_id = await open_session(database, rosa, form, content)
        try:
            waiver = await sign_form(database, session_id, **request)
        except asyncpg.PostgresError:
            continue
        waiver_id: UUID = waiver["id"]
        return waiver_id


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[Leaf]:
    """Yields each value that is neither an object nor a list, with its path."""
    if isinstance(value, dict | list):
        children = value.items() if isinstance(value, dict) else enumerate(value)
        for name, child in children:
            if name != UNCHECKED:
                yield from leaves(child, (*path, name))
    else:
        yield [*path], value


def with_change(content: dict[str, Any], path: list[str | int], value: Any) -> dict[str, Any]:
    """Returns a copy in which the value at `path` is another one."""
    copy: dict[str, Any] = json.loads(json.dumps(content))
    parent: Any = copy
    for name in path[:-1]:
        parent = parent[name]
    parent[path[-1]] = _other(value)
    return copy


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else f"{value or ''}0"
