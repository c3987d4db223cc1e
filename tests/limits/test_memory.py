"""Token buckets in memory."""

from datetime import timedelta

from cairn.limits import MemoryLimiter

MINUTE = timedelta(minutes=1)


class Clock:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_a_full_bucket_allows_a_burst() -> None:
    limiter = MemoryLimiter(3, MINUTE, clock=Clock())

    assert [limiter.take("203.0.113.7") for _ in range(4)] == [None, None, None, 20.0]


def test_a_bucket_refills_evenly() -> None:
    clock = Clock()
    limiter = MemoryLimiter(3, MINUTE, clock=clock)
    for _ in range(3):
        limiter.take("203.0.113.7")

    clock.seconds += 20

    assert limiter.take("203.0.113.7") is None
    assert limiter.take("203.0.113.7") == 20.0


def test_a_refused_request_takes_nothing() -> None:
    clock = Clock()
    limiter = MemoryLimiter(1, MINUTE, clock=clock)
    limiter.take("203.0.113.7")
    for _ in range(10):
        assert limiter.take("203.0.113.7") == 60.0

    clock.seconds += 60

    assert limiter.take("203.0.113.7") is None


def test_keys_have_separate_buckets() -> None:
    limiter = MemoryLimiter(1, MINUTE, clock=Clock())
    limiter.take("203.0.113.7")

    assert limiter.take("203.0.113.8") is None


def test_several_tokens_can_be_taken_together() -> None:
    limiter = MemoryLimiter(10, MINUTE, clock=Clock())

    assert limiter.take("203.0.113.7", 8) is None
    assert limiter.take("203.0.113.7", 3) == 6.0
    assert limiter.take("203.0.113.7", 2) is None


def test_memory_does_not_grow_with_the_number_of_keys() -> None:
    limiter = MemoryLimiter(1, MINUTE, clock=Clock(), max_buckets=2)
    for address in ("203.0.113.1", "203.0.113.2", "203.0.113.3"):
        limiter.take(address)

    assert limiter.take("203.0.113.3") is not None
    assert limiter.take("203.0.113.1") is None, "the least recently used bucket is forgotten"
