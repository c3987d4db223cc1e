"""Counts what happens in this process. `cairn.metrics` shows the counts to Prometheus."""

from collections import Counter

_counts: Counter[tuple[str, ...]] = Counter()


def count(name: str, *labels: str) -> None:
    """Adds one. This happens whether or not metrics are on, because checking that would cost as much as counting."""
    _counts[name, *labels] += 1


def counts() -> dict[tuple[str, ...], int]:
    """Returns the count for each name with its labels. It may be called in any thread."""
    return dict(_counts)
