"""Frames are decoded and encoded in both versions of the protocol."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.realtime.errors import BadFrame
from cairn.realtime.frame import Json, Message, Version, decode, encode
from tests.realtime.client import BINARY, JSON, TOPIC, binary_broadcast

JOIN = Message("realtime:x", "phx_join", {"config": {}}, ref="2", join_ref="2")
HEARTBEAT = Message("phoenix", "heartbeat", {}, ref="7")


@pytest.mark.parametrize(
    ("version", "frame", "message"),
    [
        ("1.0.0", '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"7"}', HEARTBEAT),
        ("1.0.0", '{"topic":"realtime:x","event":"phx_join","payload":{"config":{}},"ref":"2","join_ref":"2"}', JOIN),
        ("2.0.0", '[null,"7","phoenix","heartbeat",{}]', HEARTBEAT),
        ("2.0.0", '["2","2","realtime:x","phx_join",{"config":{}}]', JOIN),
        ("2.0.0", '[null,7,"phoenix","heartbeat",null]', Message("phoenix", "heartbeat", {}, ref=7)),
    ],
)
def test_text_frames_are_decoded(version: Version, frame: str, message: Message) -> None:
    assert decode(frame, version) == message


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
@pytest.mark.parametrize("message", [JOIN, HEARTBEAT, Message("realtime:ñ", "é", {"a": "☃\ud800"})])
def test_an_encoded_message_is_decoded_unchanged(version: Version, message: Message) -> None:
    assert decode(encode(message, version), version) == message


def test_encoded_json_is_passed_through() -> None:
    message = Message("realtime:x", "postgres_changes", Json('{"ids":[1]}'), join_ref="2")
    assert encode(message, "2.0.0") == '["2",null,"realtime:x","postgres_changes",{"ids":[1]}]'
    assert json.loads(encode(message, "1.0.0"))["payload"] == {"ids": [1]}


@pytest.mark.parametrize(
    ("frame", "topic", "payload"),
    [
        (binary_broadcast(JSON, b'{"a":1}', metadata=b"{}"), TOPIC, {"a": 1}),
        (binary_broadcast(BINARY, b"\x00\xff", metadata=b"{}"), TOPIC, b"\x00\xff"),
        (binary_broadcast(BINARY, b""), TOPIC, b""),
        (binary_broadcast(JSON, b"[]", topic="realtime:ñ".encode()), "realtime:ñ", []),
        (binary_broadcast(JSON, b"[]", topic="realtime:ñ".encode("latin-1")), "realtime:ñ", []),
    ],
)
def test_a_binary_broadcast_is_decoded(frame: bytes, topic: str, payload: Any) -> None:
    broadcast = {"type": "broadcast", "event": "greeting", "payload": payload}
    assert decode(frame, "2.0.0") == Message(topic, "broadcast", broadcast, ref="2", join_ref="1")


def test_a_binary_broadcast_is_encoded() -> None:
    broadcast = {"type": "broadcast", "event": "shout", "payload": b"\x00\xff"}
    frame = encode(Message("realtime:x", "broadcast", broadcast), "2.0.0")
    assert frame == b"\x04\x0a\x05\x00\x00" + b"realtime:xshout" + b"\x00\xff"


def test_a_topic_that_is_too_long_for_a_binary_frame_is_rejected() -> None:
    with pytest.raises(BadFrame):
        encode(Message("x" * 256, "broadcast", {"event": "e", "payload": b""}), "2.0.0")


@pytest.mark.parametrize(
    ("version", "frame"),
    [
        ("1.0.0", "[]"),
        ("1.0.0", '{"event":"heartbeat"}'),
        ("2.0.0", "{}"),
        ("2.0.0", "[1,2,3]"),
        ("2.0.0", '[null,null,"t","e",7]'),
        ("2.0.0", '[null,{},"t","e",{}]'),
        ("2.0.0", "not json"),
        ("2.0.0", "[" * 100_000),
        ("2.0.0", b""),
        ("2.0.0", b"\x04\x00\x00\x00\x00\x00\x00"),
        ("2.0.0", b"\x03\xff\x00\x00\x00\x00\x00short"),
        ("2.0.0", binary_broadcast(JSON, b"not json")),
    ],
)
def test_a_malformed_frame_is_rejected(version: Version, frame: str | bytes) -> None:
    with pytest.raises(BadFrame):
        decode(frame, version)


@given(st.text() | st.binary(), st.sampled_from(["1.0.0", "2.0.0"]))
def test_no_frame_raises_an_unexpected_error(frame: str | bytes, version: Version) -> None:
    with contextlib.suppress(BadFrame):
        decode(frame, version)
