"""Sends and receives single frames, so that a test sees exactly what is on the wire."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

SIGNED_WAIVERS = {"event": "INSERT", "schema": "public", "table": "signed_waivers"}
TOPIC = "realtime:signed-waivers-changes"

# These are the payload encodings of a binary frame.
BINARY, JSON = 0, 1

Frame = dict[str, Any]


class Client:
    def __init__(self, connection: ClientConnection, version: str) -> None:
        self.connection = connection
        self._version = version
        self._refs = count(1)

    async def send(self, topic: str, event: str, payload: Any, join_ref: str | None = None) -> str:
        ref = str(next(self._refs))
        join_ref = ref if event == "phx_join" else join_ref
        if self._version == "1.0.0":
            frame: Any = {"topic": topic, "event": event, "payload": payload, "ref": ref, "join_ref": join_ref}
        else:
            frame = [join_ref, ref, topic, event, payload]
        await self.connection.send(json.dumps(frame))
        return ref

    async def receive(self, timeout_seconds: float = 20) -> Frame:
        frame = json.loads(await asyncio.wait_for(self.connection.recv(), timeout_seconds))
        if self._version == "1.0.0":
            return dict(frame)
        return dict(zip(("join_ref", "ref", "topic", "event", "payload"), frame, strict=True))

    async def join(
        self, *changes: dict[str, Any], token: str | None = None, topic: str = TOPIC, **config: Any
    ) -> dict[str, Any]:
        """Sends a join and returns the payload of the reply."""
        config = {"presence": {"enabled": False}, **config}
        payload: dict[str, Any] = {"config": {"postgres_changes": list(changes), **config}}
        if token is not None:
            payload["access_token"] = token
        ref = await self.send(topic, "phx_join", payload)
        reply = await self.receive()
        assert (reply["event"], reply["ref"], reply["topic"]) == ("phx_reply", ref, topic)
        reply_payload: dict[str, Any] = reply["payload"]
        return reply_payload

    async def watch(self, token: str | None = None, *changes: dict[str, Any], topic: str = TOPIC) -> None:
        """Joins and waits until the subscription is confirmed."""
        assert (await self.join(*(changes or (SIGNED_WAIVERS,)), token=token, topic=topic))["status"] == "ok"
        system_frame = (await self.receive())["payload"]
        assert system_frame["message"] == "Subscribed to PostgreSQL", system_frame

    async def next_change(self, timeout_seconds: float = 2) -> dict[str, Any]:
        """Returns the next frame, which must be a change."""
        frame = await self.receive(timeout_seconds)
        assert frame["event"] == "postgres_changes", frame
        payload: dict[str, Any] = frame["payload"]
        return payload

    async def count_frames_until_closed(self) -> int:
        """Receives frames until the server closes the connection, and returns their number."""
        frame_count = 0
        while True:
            try:
                await self.receive()
            except ConnectionClosed:
                return frame_count
            frame_count += 1

    async def receives_nothing(self, for_seconds: float = 0.5) -> bool:
        """Waits, then sends a heartbeat, because its reply arrives after every frame that was sent earlier."""
        await asyncio.sleep(for_seconds)
        await self.send("phoenix", "heartbeat", {})
        frame = await self.receive()
        return bool(frame["topic"] == "phoenix")


def binary_broadcast(encoding: int, payload: bytes, *, topic: bytes = TOPIC.encode(), metadata: bytes = b"") -> bytes:
    """Encodes a broadcast of the event `greeting` from a client, as a binary frame with join ref 1 and ref 2."""
    parts = b"1", b"2", topic, b"greeting", metadata
    return bytes([3, *map(len, parts), encoding]) + b"".join(parts) + payload


@asynccontextmanager
async def connected(address: str, key: str, version: str = "2.0.0", **options: Any) -> AsyncIterator[Client]:
    url = f"ws://{address}/websocket?apikey={key}&vsn={version}"
    async with connect(url, **options) as connection:
        yield Client(connection, version)
