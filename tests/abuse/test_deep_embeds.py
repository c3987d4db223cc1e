"""D1: embeds inside embeds do not raise the limit for the size of a response.
18A1: orders inside embeds do not multiply the SQL of a request.

D1 and 18A1 are findings in docs/security.md.
"""

from cairn.db import Connection, Database
from cairn.rest import RestSettings
from tests.abuse.test_large_results import MAX_GROWTH_MEGABYTES, peak_megabytes_of_backends
from tests.abuse.test_large_rows import rosa_with_large_templates, rosas_client
from tests.factories import make_template
from tests.people import Person

SMALL_LIMIT = RestSettings(max_response_bytes=20_000)
"""Three of Rosa's templates with 8,000 characters each are too large together, and one is not."""

EMPTY_BRANCH = "branch.version=eq.-1"
"""The condition that makes the deep branch of `DEEP_BRANCH` contain no rows."""

LARGE_TEXT = "I ride. " * 12_000


def nested_embed(depth: int) -> str:
    """Returns `depth` embeds inside each other, alternately versions and templates."""
    embed = "version" if depth % 2 else "id"
    for level in range(depth, 0, -1):
        embed = f"{'waiver_template_versions' if level % 2 else 'waiver_templates'}({embed})"
    return embed


DEEP_BRANCH = f"branch:{nested_embed(38)}"


async def test_d1_a_deep_branch_does_not_raise_the_limit(database: Database, rosa: Person) -> None:
    query = f"/waiver_templates?company_id=eq.{rosa.company}&{EMPTY_BRANCH}&limit=1000&select=id,{DEEP_BRANCH}"
    async with rosa_with_large_templates(database, rosa, SMALL_LIMIT) as client:
        refused = await client.get(f"{query},content")
        accepted = await client.get(query)

    assert (refused.status_code, refused.json()["code"]) == (400, "response_too_large")
    assert accepted.status_code == 200
    assert [row["branch"] for row in accepted.json()] == [[]] * 4


async def test_d1_the_rows_of_every_level_count(database: Database, rosa: Person) -> None:
    """A text inside nested embeds is in the memory of PostgreSQL once for each level."""
    await make_template(database, rosa, content="I ride. " * 1000)
    deep = "content,waiver_template_versions(waiver_templates(waiver_template_versions(content)))"
    async with rosas_client(database, rosa, SMALL_LIMIT) as client:
        accepted = await client.get(f"/waiver_templates?company_id=eq.{rosa.company}&select=content")
        refused = await client.get(f"/waiver_templates?company_id=eq.{rosa.company}&select={deep}")

    assert accepted.status_code == 200
    assert (refused.status_code, refused.json()["code"]) == (400, "response_too_large")


async def test_d1_embeds_around_an_embed_count_even_if_each_has_only_one_row(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """A company has one email configuration, which has one company, and so on."""
    text = "I ride. " * 600
    template_id = await make_template(database, rosa, content=text)
    await admin.execute("insert into messaging.configurations (company_id, provider) values ($1, 'mock')", rosa.company)
    templates = "companies(waiver_templates(content))"
    around_templates = f"companies(email_configurations({templates}))"
    async with rosas_client(database, rosa, SMALL_LIMIT) as client:
        query = f"/email_configurations?companies.waiver_templates.id=eq.{template_id}"
        accepted = await client.get(f"{query}&select={templates}")
        query = f"/email_configurations?companies.email_configurations.companies.waiver_templates.id=eq.{template_id}"
        refused = await client.get(f"{query}&select={around_templates}")

    assert [row["companies"]["waiver_templates"] for row in accepted.json()] == [[{"content": text}]]
    assert (refused.status_code, refused.json()["code"]) == (400, "response_too_large")


async def test_d1_an_inserted_row_with_a_deep_branch_is_neither_returned_nor_written(
    database: Database, admin: Connection, rosa: Person
) -> None:
    select = f"id,companies(waiver_templates(content)),{DEEP_BRANCH}"
    async with rosa_with_large_templates(database, rosa, SMALL_LIMIT) as client:
        client.headers["Prefer"] = "return=representation"
        body = {"name": "Lake", "content": "I ride."}
        refused = await client.post(f"/waiver_templates?select={select}&{EMPTY_BRANCH}", json=body)

    assert (refused.status_code, refused.json()["code"]) == (400, "response_too_large")
    assert not await admin.fetchval("select exists (select from waiver_templates where name = 'Lake')")


async def test_d1_rows_that_are_grouped_are_not_collected_in_memory(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """Before this fix, the same large embedded row in each of 500 grouped rows needed 200 megabytes."""
    template_id = await make_template(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        for number in range(500):
            await connection.execute(
                "update waiver_templates set name = $2 where id = $1", template_id, f"Trip {number}"
            )
        await connection.execute("update waiver_templates set content = $2 where id = $1", template_id, LARGE_TEXT)
    texts = ",".join(f"text{number}:content" for number in range(5))
    async with rosas_client(database, rosa, RestSettings()) as client:
        await client.get("/waiver_template_versions?select=count()")
        before = await peak_megabytes_of_backends(admin)
        response = await client.get(f"/waiver_template_versions?select=count(),waiver_templates({texts})")
        growth_megabytes = await peak_megabytes_of_backends(admin) - before

    assert response.status_code == 200, response.text
    # The first version, 500 versions with new names, and one with the new text.
    assert max(group["count"] for group in response.json()) == 502
    assert growth_megabytes < MAX_GROWTH_MEGABYTES


def nested_orders(pairs: int, orders: int) -> str:
    """Returns templates in companies in templates and so on. Templates are ordered by their company, each time."""
    select, parameters = "id", ""
    for level in range(pairs):
        select = f"id,c:companies!inner(id,t:waiver_templates!inner({select}))"
        parameters += f"&{'c.t.' * level}order={','.join(['c(id)'] * orders)}"
    return f"/waiver_templates?select={select}{parameters}"


async def test_18a1_orders_inside_embeds_do_not_multiply_the_sql(database: Database, rosa: Person) -> None:
    """Before this fix, each pair of levels made the SQL ten times as long: seven of them were gigabytes."""
    async with rosas_client(database, rosa, RestSettings()) as client:
        refused = await client.get(nested_orders(pairs=4, orders=9))

    assert (refused.status_code, refused.json()["code"]) == (400, "too_many_related_orders")


async def test_18a1_rows_with_large_conditions_are_not_written_again_and_again(
    database: Database, rosa: Person
) -> None:
    conditions = "".join(f"&c.t.name=neq.{number}" for number in range(299))
    async with rosas_client(database, rosa, RestSettings()) as client:
        refused = await client.get(nested_orders(pairs=1, orders=90) + conditions)

    assert (refused.status_code, refused.json()["code"]) == (400, "too_many_related_orders")


async def test_18a1_templates_are_ordered_by_their_company_on_several_levels(database: Database, rosa: Person) -> None:
    await make_template(database, rosa)
    async with rosas_client(database, rosa, RestSettings()) as client:
        client.headers["Prefer"] = "count=exact"
        response = await client.get(nested_orders(pairs=3, orders=2) + f"&company_id=eq.{rosa.company}")

    assert response.status_code in (200, 206), response.text
    assert {row["c"]["id"] for row in response.json()} == {str(rosa.company)}
