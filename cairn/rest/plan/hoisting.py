"""Moves aggregates out of spread embeds: an aggregate over a to-one embed is an aggregate over the parent rows."""

from collections.abc import Iterator
from dataclasses import replace

from cairn.rest.catalog import TEXT, Column
from cairn.rest.plan.model import ColumnRef, Embedded, Output, Value


def hoist(outputs: tuple[Output, ...]) -> tuple[Output, ...]:
    """The embed returns the plain column, hidden, and the parent level aggregates that column."""
    return tuple(part for output in outputs for part in _hoisted(output))


def _hoisted(output: Output) -> Iterator[Output]:
    if not isinstance(output, Embedded) or not output.spread or not output.relationship.to_one:
        yield output
        return
    kept: list[Output] = []
    hoisted: list[Output] = []
    for number, value in enumerate(output.read.outputs):
        if isinstance(value, Value) and value.aggregate:
            name = f"cairn_hoisted_{number}"
            column = Column(name, value.ref.column.type if value.ref else TEXT)
            kept.append(Value(name, value.ref, value.cast, hidden=True))
            hoisted.append(replace(value, ref=ColumnRef(output.lateral, column), cast=None))
        else:
            kept.append(value)
    yield replace(output, read=replace(output.read, outputs=tuple(kept)))
    yield from hoisted
