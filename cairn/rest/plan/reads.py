"""Plans reads: a tree with a table at the root and embedded tables below it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cairn.rest.catalog import Catalog, Column, Name, Type
from cairn.rest.errors import AggregatesNotAllowed, NotEmbedded, OnlyNullTestsOnEmbeds, OrderByMany
from cairn.rest.grammar import Column as QueryColumn
from cairn.rest.grammar import Comparison, Condition, Embed, Field, Item, Ordering, Path, Query, Star
from cairn.rest.plan.hoisting import hoist
from cairn.rest.plan.lookup import find_ref, find_type
from cairn.rest.plan.model import (
    AllColumns,
    ColumnRef,
    ColumnTest,
    CteRows,
    Embedded,
    EmbedTest,
    FunctionRows,
    LogicGroup,
    Output,
    Predicate,
    ReadPlan,
    Sort,
    TableRows,
    Value,
)
from cairn.rest.plan.relationships import find_relationship


@dataclass(frozen=True, slots=True)
class Rows:
    """What can be selected from: a table, or the rows that a function returns."""

    name: str
    columns: Mapping[str, Column]
    table: Name | None
    from_cte: bool = False
    """Rows of a CTE have lost the row type of their table."""

    @property
    def row_type(self) -> Name | None:
        return self.table if self.from_cte else None


class Tree:
    """Plans one request; keeps track of the aliases and embeds seen so far."""

    def __init__(self, catalog: Catalog, query: Query, *, aggregates: bool = True) -> None:
        self._catalog = catalog
        self._query = query
        self._aggregates = aggregates
        self._aliases: set[str] = set()
        self._embedded: set[Path] = {()}

    def read(self, rows: Rows, source: TableRows | CteRows, *, filtered: bool = True) -> ReadPlan:
        """`filtered` is false if the filters of the root were already applied, as in writes."""
        self._aliases.add(rows.name)
        rows = replace(rows, from_cte=isinstance(source, CteRows))
        read_plan = self._level(rows, source, rows.name, (), self._query.select, filtered=filtered)
        for path in self._query.levels:
            if path not in self._embedded:
                raise NotEmbedded(
                    relation=path[-1],
                    hint=f"Verify that '{path[-1]}' is included in the 'select' query parameter.",
                )
        return read_plan

    def predicates(self, rows: Rows) -> tuple[Predicate, ...]:
        """The filters of the root, for statements that embed nothing."""
        conditions = self._query.level(()).conditions
        return tuple(self._predicate(rows, rows.name, {}, condition) for condition in conditions)

    def _level(
        self,
        rows: Rows,
        source: TableRows | CteRows | FunctionRows,
        alias: str,
        path: Path,
        items: tuple[Item, ...],
        *,
        filtered: bool = True,
    ) -> ReadPlan:
        outputs = hoist(tuple(self._output(rows, alias, path, item) for item in items))
        embeds = {output.label: output for output in outputs if isinstance(output, Embedded)}
        if not filtered:
            return ReadPlan(source, alias, outputs)
        level = self._query.level(path)
        return ReadPlan(
            source,
            alias,
            outputs,
            tuple(self._predicate(rows, alias, embeds, condition) for condition in level.conditions),
            tuple(self._sort(rows, alias, embeds, ordering) for ordering in level.order),
            level.limit,
            level.offset,
        )

    def _output(self, rows: Rows, alias: str, path: Path, item: Item) -> Output:
        if isinstance(item, Star):
            return AllColumns(alias, tuple(rows.columns))
        if isinstance(item, Embed):
            return self._embed(rows, alias, path, item)
        return self._value(rows, alias, item)

    def _value(self, rows: Rows, alias: str, item: QueryColumn) -> Value:
        aggregate = item.aggregate
        if item.field == Field("count") and "count" not in rows.columns and not aggregate:
            # The old syntax for count().
            return Value(item.alias or "count", None, aggregate="count", aggregate_cast=self._type(item.cast))
        if aggregate and not self._aggregates:
            raise AggregatesNotAllowed
        ref = self._ref(rows, alias, item.field) if item.field else None
        label = item.alias or aggregate or (item.field.label if item.field else "count")
        return Value(label, ref, self._type(item.cast), aggregate, self._type(item.aggregate_cast))

    def _embed(self, rows: Rows, alias: str, path: Path, item: Embed) -> Embedded:
        relationship = find_relationship(self._catalog, rows.table or ("", rows.name), item)
        target = self._catalog.tables[relationship.target]
        inner_alias = self._fresh_alias(target.name)
        inner_path = (*path, item.label)
        self._embedded.add(inner_path)
        function = relationship.function
        source = FunctionRows(function, alias, rows.row_type) if function else TableRows(target.key)
        return Embedded(
            self._level(Rows(target.name, target.columns, target.key), source, inner_alias, inner_path, item.items),
            relationship,
            alias,
            self._fresh_alias(f"{alias}_{item.label}"),
            item.label,
            item.inner,
            item.spread,
        )

    def _fresh_alias(self, name: str) -> str:
        number = 1
        while f"{name}_{number}" in self._aliases:
            number += 1
        self._aliases.add(f"{name}_{number}")
        return f"{name}_{number}"

    def _predicate(self, rows: Rows, alias: str, embeds: Mapping[str, Embedded], condition: Condition) -> Predicate:
        if not isinstance(condition, Comparison):
            parts = tuple(self._predicate(rows, alias, embeds, part) for part in condition.parts)
            return LogicGroup(condition.operator, parts, condition.negated)
        embed = embeds.get(condition.field.name)
        if embed and condition.field.name not in rows.columns:
            return _embed_test(embed, condition)
        ref = self._ref(rows, alias, condition.field)
        return ColumnTest(
            ref, condition.operator, condition.value, condition.negated, condition.quantifier, condition.config
        )

    def _sort(self, rows: Rows, alias: str, embeds: Mapping[str, Embedded], ordering: Ordering) -> Sort:
        if ordering.relation is None:
            return Sort(self._ref(rows, alias, ordering.field), ordering.descending, ordering.nulls)
        embed = embeds.get(ordering.relation)
        if embed is None:
            raise NotEmbedded(
                relation=ordering.relation,
                hint=f"Verify that '{ordering.relation}' is included in the 'select' query parameter.",
            )
        if not embed.relationship.to_one:
            raise OrderByMany(
                relation=ordering.relation,
                details=f"'{rows.name}' and '{ordering.relation}' do not form a many-to-one or one-to-one relationship",
            )
        target = self._catalog.tables[embed.relationship.target]
        inner = Rows(target.name, target.columns, target.key)
        ref = self._ref(inner, embed.read.alias, ordering.field)
        return Sort(ref, ordering.descending, ordering.nulls, embed)

    def _ref(self, rows: Rows, alias: str, field: Field) -> ColumnRef:
        ref = find_ref(self._catalog, rows.table, rows.columns, alias, field)
        return replace(ref, row_type=rows.row_type) if ref.computed_by else ref

    def _type(self, name: str | None) -> Type | None:
        return find_type(self._catalog, name)


def _embed_test(embed: Embedded, condition: Comparison) -> EmbedTest:
    if condition.operator != "is" or condition.value not in ("null", "not_null"):
        raise OnlyNullTestsOnEmbeds(
            relation=embed.label,
            details="Only is null or not is null filters are allowed on embedded resources",
        )
    return EmbedTest(embed.lateral, (condition.value == "not_null") != condition.negated)
