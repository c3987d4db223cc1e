"""A server that dies without a word is missed after a while; one without a connection keeps what it has to say."""

import asyncio
from typing import Any

import pytest

from cairn.realtime import message_bus
from cairn.realtime.message_bus import MessageBus


class Ear:
    def __init__(self, spoken_by: MessageBus) -> None:
        self.words: list[tuple[str, dict[str, Any]]] = []
        self.silent: list[str] = []
        spoken_by.on_word = lambda _process, kind, told: self.words.append((kind, told))
        spoken_by.on_silence = self.silent.append

    async def hears(self, kind: str) -> dict[str, Any]:
        async with asyncio.timeout(10):
            while True:
                for heard, told in self.words:
                    if heard == kind:
                        return told
                await asyncio.sleep(0.02)

    async def misses(self, process: str) -> None:
        async with asyncio.timeout(10):
            while process not in self.silent:  # noqa: ASYNC110 - the relay calls back, it sets no event
                await asyncio.sleep(0.02)


async def test_who_dies_is_missed_and_who_is_quiet_is_not(login_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_bus, "_BEAT_SECONDS", 0.1)
    monkeypatch.setattr(message_bus, "_DEAD_AFTER_SECONDS", 1.0)
    here, there = MessageBus(login_url), MessageBus(login_url)
    ear = Ear(here)
    listening, dying = asyncio.create_task(here.run()), asyncio.create_task(there.run())
    await ear.hears("alive")
    await asyncio.sleep(1.5)
    assert ear.silent == []
    dying.cancel()
    await ear.misses(there.process)
    listening.cancel()
    await asyncio.gather(listening, dying, return_exceptions=True)


async def test_what_is_said_before_the_connection_is_there_is_sent_once_it_is(
    login_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_bus, "_BEAT_SECONDS", 0.1)
    here, there = MessageBus(login_url), MessageBus(login_url)
    ear, own_ear = Ear(there), Ear(here)
    for number in (1, 2):
        here.say("broadcast", number=number)
    listening = asyncio.create_task(there.run())
    await asyncio.sleep(1)
    speaking = asyncio.create_task(here.run())
    await own_ear.hears("alive")
    await ear.hears("alive")
    assert [told for kind, told in ear.words if kind == "broadcast"] == [{"number": 1}, {"number": 2}]
    for task in (listening, speaking):
        task.cancel()
    await asyncio.gather(listening, speaking, return_exceptions=True)
