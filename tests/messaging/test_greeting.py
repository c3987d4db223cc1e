import json
from pathlib import Path

import pytest

from cairn.messaging import greeting

# The send dialog has the same rules: web/app/features/sending/greeting.test.ts reads this file too.
CASES: list[tuple[str, str]] = json.loads((Path(__file__).parent / "greetings.json").read_text("utf-8"))


@pytest.mark.accept("APP-36")
@pytest.mark.parametrize(("name", "expected"), [*CASES, (None, "Hi,"), ("evil.example", "Hi evil. example,")])
def test_an_email_greets_by_the_first_name(name: str | None, expected: str) -> None:
    assert greeting(name) == expected
