"""Builds replies to a client's message. A reply has the ref of the message."""

from typing import Any

from cairn.kit import Problem
from cairn.realtime.frame import Message


def ok(request: Message, response: dict[str, Any] | None = None) -> Message:
    return _reply(request, "ok", response or {})


def error(request: Message, reason: str | Problem) -> Message:
    text = f"{reason.code}: {reason}" if isinstance(reason, Problem) else reason
    return _reply(request, "error", {"reason": text})


def _reply(request: Message, status: str, response: dict[str, Any]) -> Message:
    payload = {"status": status, "response": response}
    return Message(request.topic, "phx_reply", payload, request.ref, request.join_ref)
