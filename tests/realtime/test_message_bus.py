"""The message bus removes processes that crash, and keeps messages until it is connected."""

import asyncio
from typing import Any

import pytest

from cairn.realtime import message_bus
from cairn.realtime.message_bus import MessageBus


class Recorder:
    """Records the messages and the lost processes that a bus reports."""

    def __init__(self, bus: MessageBus) -> None:
        self.messages: list[tuple[str, dict[str, Any]]] = []
        self.lost_processes: list[str] = []
        bus.on_message = lambda _process, kind, payload: self.messages.append((kind, payload))
        bus.on_process_lost = self.lost_processes.append

    async def wait_for_message(self, kind: str) -> None:
        async with asyncio.timeout(10):
            while kind not in [received_kind for received_kind, _ in self.messages]:  # noqa: ASYNC110 - the bus sets no event
                await asyncio.sleep(0.02)

    async def wait_for_loss(self, process: str) -> None:
        async with asyncio.timeout(10):
            while process not in self.lost_processes:  # noqa: ASYNC110 - the bus sets no event
                await asyncio.sleep(0.02)


async def test_a_dead_process_is_removed_and_an_idle_one_is_not(
    login_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_bus, "_HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(message_bus, "_LOST_AFTER_SECONDS", 1.0)
    local, remote = MessageBus(login_url), MessageBus(login_url)
    recorder = Recorder(local)
    local_task, remote_task = asyncio.create_task(local.run()), asyncio.create_task(remote.run())
    await recorder.wait_for_message("alive")
    await asyncio.sleep(1.5)
    assert recorder.lost_processes == []
    remote_task.cancel()
    await recorder.wait_for_loss(remote.process_id)
    local_task.cancel()
    await asyncio.gather(local_task, remote_task, return_exceptions=True)


async def test_messages_are_queued_until_the_bus_is_connected(login_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_bus, "_HEARTBEAT_SECONDS", 0.1)
    local, remote = MessageBus(login_url), MessageBus(login_url)
    local_recorder, remote_recorder = Recorder(local), Recorder(remote)
    for number in (1, 2):
        local.send("broadcast", number=number)
    remote_task = asyncio.create_task(remote.run())
    await asyncio.sleep(1)
    local_task = asyncio.create_task(local.run())
    await local_recorder.wait_for_message("alive")
    await remote_recorder.wait_for_message("alive")
    broadcasts = [payload for kind, payload in remote_recorder.messages if kind == "broadcast"]
    assert broadcasts == [{"number": 1}, {"number": 2}]
    for task in (local_task, remote_task):
        task.cancel()
    await asyncio.gather(local_task, remote_task, return_exceptions=True)
