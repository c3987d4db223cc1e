"""A body is read up to a limit, and a truncated body is refused."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive

from cairn.kit import TRUSTED_SENDER, BodyTooLarge, CountedBody, LargeBodiesBusy, read_body, read_form


def receive_from(*messages: Message) -> Receive:
    remaining: Iterator[Message] = iter(messages)

    async def receive() -> Message:
        return next(remaining)

    return receive


def part(body: bytes, *, more: bool = False) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


@pytest.mark.parametrize("parts", [[b"abcd"], [b"ab", b"cd"], [b"", b"a", b"bcd"]])
async def test_a_body_up_to_the_limit_is_read_whole(parts: list[bytes]) -> None:
    messages = [part(body, more=number < len(parts)) for number, body in enumerate(parts, start=1)]

    assert await read_body(receive_from(*messages), max_bytes=4) == b"abcd"


async def test_reading_stops_as_soon_as_the_limit_is_exceeded() -> None:
    # A third call of `receive` would raise StopIteration.
    with pytest.raises(BodyTooLarge):
        await read_body(receive_from(part(b"abc", more=True), part(b"de", more=True)), max_bytes=4)


async def test_a_single_part_beyond_the_limit_is_refused() -> None:
    with pytest.raises(BodyTooLarge):
        await read_body(receive_from(part(b"abcde")), max_bytes=4)


async def test_a_body_that_was_cut_off_is_refused() -> None:
    with pytest.raises(ClientDisconnect):
        await read_body(receive_from(part(b"ab", more=True), {"type": "http.disconnect"}), max_bytes=4)


async def test_a_form_keeps_empty_fields() -> None:
    assert await read_form(receive_from(part(b"name=Gil&note=")), max_bytes=100) == {"name": "Gil", "note": ""}


async def test_a_form_with_too_many_fields_is_refused() -> None:
    with pytest.raises(BodyTooLarge):
        await read_form(receive_from(part(b"&".join([b"a=1"] * 21))), max_bytes=1000)


@pytest.mark.accept("SAFE-13")
async def test_all_large_bodies_together_are_limited_until_their_requests_end() -> None:
    """H5 in docs/security.md: many clients, each of which stays within the limit, do not use up the memory together."""
    may_end = asyncio.Event()

    async def handle_request() -> int:
        parts = [part(b"x" * 1024 * 1024, more=number < 20) for number in range(1, 21)]
        body = await read_body(receive_from(*parts), max_bytes=32 * 1024 * 1024, sender=TRUSTED_SENDER)
        await may_end.wait()
        return len(body)

    running = [asyncio.create_task(handle_request()) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(LargeBodiesBusy):
        await asyncio.create_task(handle_request())
    assert await read_body(receive_from(part(b"small")), max_bytes=10) == b"small"

    may_end.set()
    assert await asyncio.gather(*running) == [20 * 1024 * 1024] * 2
    assert await asyncio.create_task(handle_request()) == 20 * 1024 * 1024


async def test_16a7_large_bodies_of_one_sender_do_not_keep_out_others() -> None:
    """16A7 in docs/security.md: slow uploads of one network do not keep out everyone else."""
    may_end = asyncio.Event()

    async def handle_request(sender: str) -> int:
        parts = [part(b"x" * 1024 * 1024, more=number < 8) for number in range(1, 9)]
        body = await read_body(receive_from(*parts), max_bytes=10_000_000, sender=sender)
        await may_end.wait()
        return len(body)

    running = [asyncio.create_task(handle_request("192.0.2.1"))]
    await asyncio.sleep(0)
    with pytest.raises(LargeBodiesBusy):
        await asyncio.create_task(handle_request("192.0.2.1"))
    running.append(asyncio.create_task(handle_request("192.0.2.2")))
    await asyncio.sleep(0)

    may_end.set()
    assert await asyncio.gather(*running) == [8 * 1024 * 1024] * 2
    assert await asyncio.create_task(handle_request("192.0.2.1")) == 8 * 1024 * 1024


async def test_17b1_unfinished_bodies_below_a_megabyte_are_limited_too() -> None:
    """17B1 in docs/security.md: slow bodies of one network do not use up the memory."""
    may_end = asyncio.Event()

    def receive_slowly() -> Receive:
        parts = iter([part(b"x" * 900_000, more=True), part(b"x")])

        async def receive() -> Message:
            message = next(parts)
            if not message["more_body"]:
                await may_end.wait()
            return message

        return receive

    def start(sender: str) -> asyncio.Task[bytes | bytearray]:
        return asyncio.create_task(read_body(receive_slowly(), max_bytes=10_000_000, sender=sender))

    of_one_network = [start("192.0.2.1") for _ in range(30)]
    of_another = start("192.0.2.2")
    await asyncio.sleep(0)
    refused = [task.exception() for task in of_one_network if task.done()]
    assert [type(problem) for problem in refused] == [LargeBodiesBusy] * 12, "16 MiB may be held for one network"
    assert await read_body(receive_from(part(b"sm", more=True), part(b"all")), max_bytes=10) == b"small"

    may_end.set()
    assert len(await of_another) == 900_001
    await asyncio.gather(*of_one_network, return_exceptions=True)
    assert len(await start("192.0.2.1")) == 900_001


async def test_a_service_with_larger_bodies_has_to_name_their_sender() -> None:
    with pytest.raises(AssertionError):
        await read_body(receive_from(part(b"x")), max_bytes=100_000)


@pytest.mark.parametrize(("held_bytes", "per_network", "networks"), [(900_000, 17, 10), (10_000_000, 1, 6)])
async def test_18a6_slow_bodies_of_several_networks_do_not_keep_out_others(
    held_bytes: int, per_network: int, networks: int
) -> None:
    """18A6 in docs/security.md: before this fix, eight networks kept everyone else from sending photos."""
    never = asyncio.Event()

    def receive_slowly() -> Receive:
        first = iter([part(b"x" * held_bytes, more=True)])

        async def receive() -> Message:
            for message in first:
                return message
            await never.wait()
            raise AssertionError

        return receive

    slow_requests = [
        asyncio.create_task(read_body(receive_slowly(), max_bytes=20_000_000, sender=f"192.0.2.{network}"))
        for network in range(networks)
        for _ in range(per_network)
    ]
    await asyncio.sleep(0)
    photo = receive_from(part(b"x" * 800_000, more=True), part(b"x" * (held_bytes // 2)))
    body = await asyncio.create_task(read_body(photo, max_bytes=20_000_000, sender="203.0.113.9"))
    await asyncio.sleep(0)

    assert len(body) == 800_000 + held_bytes // 2
    ended = [task for task in slow_requests if task.done()]
    assert 0 < len(ended) < len(slow_requests)
    assert {type(task.exception()) for task in ended} == {LargeBodiesBusy}
    for task in slow_requests:
        task.cancel()
    await asyncio.gather(*slow_requests, return_exceptions=True)
    assert not any(task.cancelling() for task in ended)


async def test_18a6_a_network_does_not_end_the_bodies_of_those_who_have_less() -> None:
    never = asyncio.Event()

    async def receive_nothing_more() -> Message:
        await never.wait()
        raise AssertionError

    def start(sender: str, body_bytes: int) -> asyncio.Task[bytes | bytearray]:
        messages = iter([part(b"x" * body_bytes, more=True)])

        async def receive() -> Message:
            return next(messages, None) or await receive_nothing_more()

        return asyncio.create_task(read_body(receive, max_bytes=20_000_000, sender=sender))

    small = [start(f"192.0.2.{number}", 9_000_000) for number in range(6)]
    await asyncio.sleep(0)
    with pytest.raises(LargeBodiesBusy):
        await start("203.0.113.9", 12_000_000)

    assert not any(task.done() for task in small)
    for task in small:
        task.cancel()
    await asyncio.gather(*small, return_exceptions=True)


async def test_19a3_uploads_of_several_networks_do_not_keep_out_bodies() -> None:
    """19A3 in docs/security.md: before this fix, uploads that go on for hours counted together with bodies."""
    uploads = [CountedBody(f"192.0.2.{number}") for number in range(16)]
    with suppress(LargeBodiesBusy):
        for upload in uploads:
            upload.count(12_000_000)
    with pytest.raises(LargeBodiesBusy):
        uploads[-1].count(12_000_000)

    photo = receive_from(part(b"x" * 800_000, more=True), part(b"x" * 8_000_000))
    body = await asyncio.create_task(read_body(photo, max_bytes=20_000_000, sender="203.0.113.9"))

    assert len(body) == 8_800_000
    for upload in uploads:
        upload.uncount()
