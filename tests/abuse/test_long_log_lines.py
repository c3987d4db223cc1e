"""7L2: hiding personal data in long log lines does not keep the server busy.

7L2 and 8EL1 are findings in docs/security.md.
"""

import time

import pytest

from cairn.logs import without_personal_data


@pytest.mark.parametrize("text", ["a", "eyJ-", "eyJa.", "a@", "+1", "DETAIL: "])
def test_7l2_a_long_line_is_searched_quickly(text: str) -> None:
    started_at = time.thread_time()

    without_personal_data(text * (100_000 // len(text)))
    without_personal_data(text * (8_000 // len(text)))

    assert time.thread_time() - started_at < 0.2


def test_7l2_the_beginning_and_the_end_of_a_long_text_are_logged_without_half_an_address() -> None:
    addresses = " ".join(f"zebulon{number}@example.org" for number in range(1000))

    text = without_personal_data(f"It began with {addresses} and ended with ValueError")

    assert text.startswith("It began with [address] ")
    assert text.endswith(" [address] and ended with ValueError")
    assert "zebulon" not in text
    assert "example" not in text


def test_7l2_the_row_in_a_long_error_is_hidden() -> None:
    text = without_personal_data(f"not null\nDETAIL:  Failing row contains ({'Zebulon Quist, ' * 2000}).\nHINT: last")

    assert text == "not null\nDETAIL: [hidden]\nHINT: last"


def test_8el1_a_row_with_several_lines_is_hidden_in_each_exception_of_a_traceback() -> None:
    row = "not null\nDETAIL:  Failing row contains (1, Hello,\n\nI am Zebulon Quist\n, null)."

    text = without_personal_data(f"{row}\n\nDuring handling of the above exception, another occurred:\n\n{row}")

    assert text == (
        "not null\nDETAIL: [hidden]\n\nDuring handling of the above exception, another occurred:\n\n"
        "not null\nDETAIL: [hidden]"
    )


def test_7l2_a_long_address_and_a_long_token_are_hidden() -> None:
    token = f"eyJ{'a' * 400}.{'b' * 1500}.{'c' * 300}"

    assert without_personal_data(f"to {'z' * 900}@example.org with {token}") == "to [address] with [token]"
