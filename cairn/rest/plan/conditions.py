"""Plans the filters and the order of one table. Both may refer to the embeds of that table."""

from collections.abc import Mapping

from cairn.rest.catalog import Catalog
from cairn.rest.errors import NotEmbedded, OnlyNullTestsOnEmbeds, OrderByToManyEmbed
from cairn.rest.grammar import Comparison, Condition, Ordering
from cairn.rest.plan.lookup import Rows, find_column
from cairn.rest.plan.model import ColumnTest, Embedded, EmbedTest, LogicGroup, Predicate, Sort


def plan_predicate(
    catalog: Catalog, rows: Rows, alias: str, embeds: Mapping[str, Embedded], condition: Condition
) -> Predicate:
    if not isinstance(condition, Comparison):
        parts = tuple(plan_predicate(catalog, rows, alias, embeds, part) for part in condition.parts)
        return LogicGroup(condition.operator, parts, condition.negated)
    embed = embeds.get(condition.field.name)
    if embed and condition.field.name not in rows.columns:
        return _embed_test(embed, condition)
    ref = find_column(catalog, rows, alias, condition.field)
    return ColumnTest(
        ref, condition.operator, condition.value, condition.negated, condition.quantifier, condition.config
    )


def plan_sort(catalog: Catalog, rows: Rows, alias: str, embeds: Mapping[str, Embedded], ordering: Ordering) -> Sort:
    if ordering.relation is None:
        return Sort(find_column(catalog, rows, alias, ordering.field), ordering.descending, ordering.nulls)
    embed = embeds.get(ordering.relation)
    if embed is None:
        raise not_embedded(ordering.relation)
    if not embed.relationship.to_one:
        raise OrderByToManyEmbed(
            relation=ordering.relation,
            details=f"'{rows.name}' and '{ordering.relation}' do not form a many-to-one or one-to-one relationship",
        )
    target = catalog.tables[embed.relationship.target]
    embedded_rows = Rows(target.name, target.columns, target.key)
    ref = find_column(catalog, embedded_rows, embed.read.alias, ordering.field)
    return Sort(ref, ordering.descending, ordering.nulls, embed)


def not_embedded(relation: str) -> NotEmbedded:
    return NotEmbedded(relation=relation, hint=f"Verify that '{relation}' is included in the 'select' query parameter.")


def _embed_test(embed: Embedded, condition: Comparison) -> EmbedTest:
    if condition.operator != "is" or condition.value not in ("null", "not_null"):
        raise OnlyNullTestsOnEmbeds(
            relation=embed.label,
            details="Only is null or not is null filters are allowed on embedded resources",
        )
    return EmbedTest(embed.lateral, (condition.value == "not_null") != condition.negated)
