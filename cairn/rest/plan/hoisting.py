"""Aggregates of the one row that is spread into its parent are aggregates of the many parents."""

from collections.abc import Iterator
from dataclasses import replace

from cairn.rest.catalog import TEXT, Column
from cairn.rest.plan.model import ColumnRef, Embedded, Output, Value


def hoist(outputs: tuple[Output, ...]) -> tuple[Output, ...]:
    """Each aggregate leaves its column behind, out of sight, and is taken of that column by the level above."""
    return tuple(part for output in outputs for part in _hoisted(output))


def _hoisted(output: Output) -> Iterator[Output]:
    if not isinstance(output, Embedded) or not output.spread or not output.relationship.to_one:
        yield output
        return
    left: list[Output] = []
    taken: list[Output] = []
    for number, value in enumerate(output.read.outputs):
        if isinstance(value, Value) and value.aggregate:
            name = f"cairn_hoisted_{number}"
            column = Column(name, value.ref.column.type if value.ref else TEXT)
            left.append(Value(name, value.ref, value.cast, hidden=True))
            taken.append(replace(value, ref=ColumnRef(output.lateral, column), cast=None))
        else:
            left.append(value)
    yield replace(output, read=replace(output.read, outputs=tuple(left)))
    yield from taken
