"""Limits the bytes of a response while PostgreSQL builds it, so that it never holds a body that is too large.

A condition on each row adds the size of the row to a transaction-local setting. If the sum exceeds the limit, the
condition causes an error, which also undoes what the request has written.
"""

COUNTED_BYTES = "cairn.counted_bytes"
TOO_LARGE_SQLSTATE = "54000"
TOO_LARGE_TEXT = "requested length too large"
"""The error of `repeat` for a text that would be longer than any text can be. No function has to be created for it."""

_LONGER_THAN_ANY_TEXT = 2_147_483_647


def within_limit_sql(row_text: str, max_bytes: int) -> str:
    """Returns a condition that counts the bytes of `row_text`. It is true, or raises an error if there are too many."""
    counted = f"coalesce(nullif(current_setting('{COUNTED_BYTES}', true), ''), '0')::int8 + octet_length({row_text})"
    exceeded = f"set_config('{COUNTED_BYTES}', ({counted})::text, true)::int8 > {max_bytes}"
    return f"repeat(' ', case when {exceeded} then {_LONGER_THAN_ANY_TEXT} else 0 end) = ''"
