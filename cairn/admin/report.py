"""Renders what a command reports: for people as a table or a sentence, and for programs as JSON."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from cairn.kit import frozen_dataclass

Row = Mapping[str, object]
_GAP = "  "


@frozen_dataclass
class Report:
    rows: Sequence[Row]
    # The sentence that people read instead of the table.
    message: str | None = None
    exit_code: int = 0


def render(report: Report, *, as_json: bool) -> str:
    if as_json:
        return json.dumps(report.rows, default=_json_value, ensure_ascii=False)
    return _table(report.rows) if report.message is None else "\n".join(map(_printable, report.message.split("\n")))


def _table(rows: Sequence[Row]) -> str:
    """Every row has the same keys, which are the headings."""
    if not rows:
        return "nothing found"
    lines = [
        [name.upper().replace("_", " ") for name in rows[0]],
        *([_cell(value) for value in row.values()] for row in rows),
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        _GAP.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _cell(value: object) -> str:
    return "-" if value is None else _printable(_text(value))


def _text(value: object) -> str:
    return f"{value.astimezone(UTC):%Y-%m-%d %H:%M}Z" if isinstance(value, datetime) else str(value)


def _printable(line: str) -> str:
    """Replaces control characters, which a terminal would obey. Users can put them into their names."""
    return "".join(character if character.isprintable() else "?" for character in line)


def _json_value(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
