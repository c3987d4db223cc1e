"""Plans reads: a tree with a table at the root and embedded tables below it."""

from dataclasses import replace

from cairn.rest.catalog import Catalog
from cairn.rest.errors import AggregatesNotAllowed, EmbeddedTwice
from cairn.rest.grammar import Column, Embed, Field, Item, Path, Query, Star
from cairn.rest.plan.conditions import not_embedded, plan_predicate, plan_sort
from cairn.rest.plan.hoisting import hoist_aggregates
from cairn.rest.plan.lookup import Rows, find_column, find_type
from cairn.rest.plan.model import (
    AllColumns,
    CteRows,
    Embedded,
    FunctionRows,
    Output,
    Predicate,
    ReadPlan,
    TableRows,
    Value,
)
from cairn.rest.plan.relationships import find_relationship


class ReadPlanner:
    """Plans the read of one request. Keeps track of the aliases and embeds that were already planned."""

    def __init__(self, catalog: Catalog, query: Query, *, aggregates: bool = True) -> None:
        self._catalog = catalog
        self._query = query
        self._aggregates = aggregates
        self._aliases: set[str] = set()
        self._embed_paths: set[Path] = {()}

    def plan_read(self, rows: Rows, source: TableRows | CteRows, *, filtered: bool = True) -> ReadPlan:
        """`filtered` is false if the filters of the root were already applied, as in writes."""
        self._aliases.add(rows.name)
        rows = replace(rows, from_cte=isinstance(source, CteRows))
        read_plan = self._plan_level(rows, source, rows.name, (), self._query.select, filtered=filtered)
        for path in self._query.levels:
            if path not in self._embed_paths:
                raise not_embedded(path[-1])
        return read_plan

    def predicates(self, rows: Rows) -> tuple[Predicate, ...]:
        """Returns the filters of the root, for statements that embed nothing."""
        conditions = self._query.level(()).conditions
        return tuple(plan_predicate(self._catalog, rows, rows.name, {}, condition) for condition in conditions)

    def _plan_level(
        self,
        rows: Rows,
        source: TableRows | CteRows | FunctionRows,
        alias: str,
        path: Path,
        items: tuple[Item, ...],
        *,
        filtered: bool = True,
    ) -> ReadPlan:
        outputs = hoist_aggregates(tuple(self._plan_output(rows, alias, path, item) for item in items))
        embeds = {output.label: output for output in outputs if isinstance(output, Embedded)}
        if not filtered:
            return ReadPlan(source, alias, outputs)
        level = self._query.level(path)
        return ReadPlan(
            source,
            alias,
            outputs,
            tuple(plan_predicate(self._catalog, rows, alias, embeds, condition) for condition in level.conditions),
            tuple(plan_sort(self._catalog, rows, alias, embeds, ordering) for ordering in level.order),
            level.limit,
            level.offset,
        )

    def _plan_output(self, rows: Rows, alias: str, path: Path, item: Item) -> Output:
        if isinstance(item, Star):
            return AllColumns(alias, tuple(rows.columns))
        if isinstance(item, Embed):
            return self._plan_embed(rows, alias, path, item)
        return self._plan_value(rows, alias, item)

    def _plan_value(self, rows: Rows, alias: str, item: Column) -> Value:
        aggregate = item.aggregate
        if item.field == Field("count") and "count" not in rows.columns and not aggregate:
            # PostgREST still accepts `count`, the old syntax for `count()`.
            cast = find_type(self._catalog, item.cast)
            return Value(item.alias or "count", None, aggregate="count", aggregate_cast=cast)
        if aggregate and not self._aggregates:
            raise AggregatesNotAllowed
        ref = find_column(self._catalog, rows, alias, item.field) if item.field else None
        label = item.alias or aggregate or (item.field.label if item.field else "count")
        cast, aggregate_cast = find_type(self._catalog, item.cast), find_type(self._catalog, item.aggregate_cast)
        return Value(label, ref, cast, aggregate, aggregate_cast)

    def _plan_embed(self, rows: Rows, alias: str, path: Path, item: Embed) -> Embedded:
        relationship = find_relationship(self._catalog, rows.table or ("", rows.name), item)
        target = self._catalog.tables[relationship.target]
        embed_alias = self._new_alias(target.name)
        embed_path = (*path, item.label)
        if embed_path in self._embed_paths:
            raise EmbeddedTwice(name=f"{relationship.source[1]}_{item.label}_{len(embed_path)}")
        self._embed_paths.add(embed_path)
        function = relationship.function
        source = FunctionRows(function, alias, rows.row_type) if function else TableRows(target.key)
        embedded_rows = Rows(target.name, target.columns, target.key)
        return Embedded(
            self._plan_level(embedded_rows, source, embed_alias, embed_path, item.items),
            relationship,
            alias,
            self._new_alias(f"{alias}_{item.label}"),
            item.label,
            item.inner,
            item.spread,
        )

    def _new_alias(self, name: str) -> str:
        number = 1
        while f"{name}_{number}" in self._aliases:
            number += 1
        self._aliases.add(f"{name}_{number}")
        return f"{name}_{number}"
