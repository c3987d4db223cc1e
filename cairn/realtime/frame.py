"""Decodes and encodes websocket frames in both versions of the protocol."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from cairn.kit import frozen_dataclass, parse_json
from cairn.realtime.errors import BadFrame

Version = Literal["1.0.0", "2.0.0"]
Ref: TypeAlias = str | int | None

# The kinds of binary frames, and the encodings of their payload.
_BROADCAST_FROM_CLIENT, _BROADCAST_TO_CLIENT = 3, 4
_BINARY, _JSON = 0, 1
# The header has one byte for the kind, five for lengths, and one for the encoding.
_HEADER_BYTES = 7
_MAX_PART_BYTES = 255
_MAX_REF_LENGTH = 255


class Json(str):
    """Text that is already encoded as JSON, so that it is encoded once and sent to many clients."""

    __slots__ = ()


@frozen_dataclass
class Message:
    topic: str
    event: str
    payload: Mapping[str, Any] | Json
    ref: Ref = None
    join_ref: Ref = None


def decode(frame: str | bytes, version: Version) -> Message:
    if isinstance(frame, bytes):
        return _decode_broadcast(frame)
    parts = _parse_json(frame)
    if version == "1.0.0":
        if not isinstance(parts, dict):
            raise BadFrame(reason="a 1.0.0 frame is an object")
        return _message(*(parts.get(key) for key in ("join_ref", "ref", "topic", "event", "payload")))
    if not isinstance(parts, list) or len(parts) != 5:
        raise BadFrame(reason="a 2.0.0 frame is an array of five")
    return _message(*parts)


def encode(message: Message, version: Version) -> str | bytes:
    if not isinstance(message.payload, Json) and isinstance(message.payload.get("payload"), bytes):
        return _encode_broadcast(message.topic, message.payload["event"], message.payload["payload"])
    parts = message.topic, message.event, message.ref, message.join_ref, version
    if isinstance(message.payload, Json):
        before_payload, after_payload = _cached_around_payload(*parts)
        return f"{before_payload}{message.payload}{after_payload}"
    before_payload, after_payload = _around_payload(*parts)
    return f"{before_payload}{json.dumps(message.payload)}{after_payload}"


def _around_payload(topic: str, event: str, ref: Ref, join_ref: Ref, version: Version) -> tuple[str, str]:
    """Returns what precedes and what follows the payload."""
    topic, event = json.dumps(topic), json.dumps(event)
    if version == "1.0.0":
        refs = f'"ref":{json.dumps(ref)},"join_ref":{json.dumps(join_ref)}'
        return f'{{"topic":{topic},"event":{event},"payload":', f",{refs}}}"
    return f"[{json.dumps(join_ref)},{json.dumps(ref)},{topic},{event},", "]"


# Only joined channels get shared payloads, and their topics have a limited length, so the cache stays small. With
# `typed`, the refs 1 and True are different keys.
_cached_around_payload = lru_cache(maxsize=1024, typed=True)(_around_payload)


def _parse_json(text: str | bytes) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        raise BadFrame(reason="it is not JSON") from error


def _message(join_ref: Any, ref: Any, topic: Any, event: Any, payload: Any) -> Message:
    if not isinstance(topic, str) or not isinstance(event, str):
        raise BadFrame(reason="topic and event are texts")
    if not isinstance(join_ref, Ref) or not isinstance(ref, Ref):
        raise BadFrame(reason="refs are texts")
    if any(len(str(value)) > _MAX_REF_LENGTH for value in (join_ref, ref)):
        raise BadFrame(reason=f"a ref has at most {_MAX_REF_LENGTH} characters")
    payload = {} if payload is None else payload
    if not isinstance(payload, dict):
        raise BadFrame(reason="the payload is an object")
    return Message(topic, event, payload, ref, join_ref)


def _decode_broadcast(frame: bytes) -> Message:
    """Decodes a header with the lengths of five strings, then those strings, then the payload."""
    if len(frame) < _HEADER_BYTES or frame[0] != _BROADCAST_FROM_CLIENT:
        raise BadFrame(reason="this kind of binary frame is not known")
    *lengths, encoding = frame[1:_HEADER_BYTES]
    parts, start = [], _HEADER_BYTES
    for length in lengths:
        parts.append(frame[start : start + length])
        start += length
    if start > len(frame):
        raise BadFrame(reason="it ends too early")
    join_ref, ref, topic, event, _metadata = map(_decode_text, parts)
    payload = _parse_json(frame[start:]) if encoding == _JSON else frame[start:]
    broadcast = {"type": "broadcast", "event": event, "payload": payload}
    return Message(topic, "broadcast", broadcast, ref or None, join_ref or None)


def _decode_text(part: bytes) -> str:
    try:
        return part.decode()
    except UnicodeDecodeError:
        # Clients up to version 2.109 encode each character as one byte.
        return part.decode("latin-1")


def _encode_broadcast(topic: str, event: str, payload: bytes) -> bytes:
    parts = topic.encode(), event.encode()
    if any(len(part) > _MAX_PART_BYTES for part in parts):
        raise BadFrame(reason="topic and event of a binary broadcast have at most 255 bytes")
    return bytes([_BROADCAST_TO_CLIENT, len(parts[0]), len(parts[1]), 0, _BINARY]) + b"".join(parts) + payload
