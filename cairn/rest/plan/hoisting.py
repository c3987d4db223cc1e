"""Moves aggregates out of spread to-one embeds, because these aggregates apply to the parent rows."""

from collections.abc import Iterator
from dataclasses import replace

from cairn.rest.catalog import TEXT, Column
from cairn.rest.plan.model import ColumnRef, Embedded, Output, Value


def hoist_aggregates(outputs: tuple[Output, ...]) -> tuple[Output, ...]:
    """Lets the embed return the plain column, hidden from the response, and lets the parent aggregate this column."""
    return tuple(part for output in outputs for part in _hoist_output(output))


def _hoist_output(output: Output) -> Iterator[Output]:
    if not isinstance(output, Embedded) or not output.spread or not output.relationship.to_one:
        yield output
        return
    embed_outputs: list[Output] = []
    parent_outputs: list[Output] = []
    for number, value in enumerate(output.read.outputs):
        if isinstance(value, Value) and value.aggregate:
            name = f"cairn_hoisted_{number}"
            column = Column(name, value.ref.column.type if value.ref else TEXT)
            embed_outputs.append(Value(name, value.ref, value.cast, hidden=True))
            parent_outputs.append(replace(value, ref=ColumnRef(output.lateral, column), cast=None))
        else:
            embed_outputs.append(value)
    yield replace(output, read=replace(output.read, outputs=tuple(embed_outputs)))
    yield from parent_outputs
