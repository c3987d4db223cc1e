"""Answers to what a client sent, under its own ref."""

from typing import Any

from cairn.kit import Problem
from cairn.realtime.frame import Message


def ok(asked: Message, response: dict[str, Any] | None = None) -> Message:
    return _reply(asked, "ok", response or {})


def refused(asked: Message, reason: str | Problem) -> Message:
    text = f"{reason.code}: {reason}" if isinstance(reason, Problem) else reason
    return _reply(asked, "error", {"reason": text})


def _reply(asked: Message, status: str, response: dict[str, Any]) -> Message:
    payload = {"status": status, "response": response}
    return Message(asked.topic, "phx_reply", payload, asked.ref, asked.join_ref)
