"""Defines a cursor over the text of one query parameter. Its errors report the position and the expected text."""

import re
from typing import NoReturn

from cairn.rest.errors import InvalidQuery
from cairn.rest.grammar.model import Field, Step

MAX_DEPTH = 40
"""Deeper nesting could exhaust the stack of the parser, which is recursive."""

MAX_EMBEDS = 50
"""Each embed is a join, and PostgreSQL takes seconds to plan a hundred of them."""

MAX_ITEMS = 300
"""How many columns and embedded tables `select` may name. Planning thousands would keep the server busy for seconds."""

MAX_CONDITIONS = 300
"""How many filters a request may contain, including those in `and` and `or`. A long list of values is one filter."""

MAX_STEPS = 50
"""How many steps the path to a value inside JSON may have. Each step makes the SQL of the path longer."""

AT_MOST_CONDITIONS = f"at most {MAX_CONDITIONS} conditions, or in.(...) to compare a column with many values"

_NAME = re.compile(r"(?:[\w$ ]|-(?!>))+")
_QUOTED = re.compile(r'([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_INDEX = re.compile(r"-?[0-9]{1,9}(?![\w$ ])")


class TextCursor:
    """Reads `text`. Error messages call it `part`, for example "filter"."""

    def __init__(self, part: str, text: str) -> None:
        self.part = part
        self.text = text
        self.position = 0
        self._depth = 0
        self._embed_count = 0
        self._item_count = 0
        self._condition_count = 0

    def fail(self, expected: str) -> NoReturn:
        unexpected = f'"{self.text[self.position]}"' if self.position < len(self.text) else "end of input"
        raise InvalidQuery(
            part=self.part,
            text=self.text,
            column=self.position + 1,
            details=f"unexpected {unexpected} expecting {expected}",
        )

    def next_is(self, token: str) -> bool:
        return self.text.startswith(token, self.position)

    def take(self, token: str) -> bool:
        if not self.next_is(token):
            return False
        self.position += len(token)
        return True

    def expect(self, token: str) -> None:
        if not self.take(token):
            self.fail(f'"{token}"')

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def take_rest(self) -> str:
        remaining, self.position = self.text[self.position :], len(self.text)
        return remaining

    def finish(self) -> None:
        if self.position < len(self.text):
            self.fail("end of input")

    def enter_level(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.fail(f"at most {MAX_DEPTH} levels of nesting")

    def leave_level(self) -> None:
        self._depth -= 1

    def count_embed(self) -> None:
        self._embed_count += 1
        if self._embed_count > MAX_EMBEDS:
            self.fail(f"at most {MAX_EMBEDS} embedded tables")

    def count_item(self) -> None:
        self._item_count += 1
        if self._item_count > MAX_ITEMS:
            self.fail(f"at most {MAX_ITEMS} columns")

    def count_conditions(self, count: int = 1) -> None:
        self._condition_count += count
        if self._condition_count > MAX_CONDITIONS:
            self.fail(AT_MOST_CONDITIONS)

    def take_name(self) -> str:
        if self.next_is('"'):
            return self.take_quoted()
        start = self.position
        match = self.match(_NAME)
        name = match[0].strip() if match else ""
        if not name:
            self.position = start
            self.fail("field name (* or [a..z0..9_$])")
        return name

    def take_quoted(self) -> str:
        """Takes a string in double quotes, in which a backslash escapes the next character."""
        self.expect('"')
        match = self.match(_QUOTED)
        if match is None:
            self.position = len(self.text)
            self.fail('closing "\\""')
        return _ESCAPED.sub(r"\1", match[1])

    def take_field(self) -> Field:
        name = self.take_name()
        return Field(name, self.take_steps())

    def take_steps(self) -> tuple[Step, ...]:
        steps: list[Step] = []
        while self.take("->"):
            if len(steps) == MAX_STEPS:
                self.fail(f"at most {MAX_STEPS} steps")
            as_text = self.take(">")
            index = self.match(_INDEX)
            steps.append(Step(int(index[0]) if index else self.take_name(), as_text))
        return tuple(steps)
