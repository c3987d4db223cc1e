"""Turns what was signed with a form into single fields, because Zapier offers each field by its name."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# The parts of an emergency contact or an address, in the order of the signed document.
_PARTS = ("name", "relationship", "phone", "street", "postal_code", "city", "region", "country")


def flat_form(
    *,
    answers: Mapping[str, Any],
    guardian: Mapping[str, Any] | None,
    participants: Sequence[Mapping[str, Any]],
    flags: Iterable[Mapping[str, str]],
) -> dict[str, Any]:
    """Returns fields such as `participant_1_name` and `participant_1_answer_swims`. Participants count from 1."""
    fields: dict[str, Any] = {
        "participant_count": len(participants),
        "participant_names": ", ".join(participant["name"] for participant in participants),
        "flags": "; ".join(f"{flag['name']}: {flag['text']}" for flag in flags),
        "guardian_relationship": guardian and guardian["relationship"],
        **_answers("answer", answers),
    }
    for number, participant in enumerate(participants, 1):
        prefix = f"participant_{number}"
        fields |= {f"{prefix}_{name}": participant[name] for name in ("id", "name", "birth_date", "kind")}
        fields[f"{prefix}_flags"] = ", ".join(flag["text"] for flag in participant["flags"])
        fields |= _answers(f"{prefix}_answer", participant["answers"])
    return fields


def _answers(prefix: str, answers: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{prefix}_{question}": _single_value(answer) for question, answer in answers.items()}


def _single_value(answer: Any) -> Any:
    """An address, an emergency contact and several options become one text."""
    if isinstance(answer, dict):
        return ", ".join(answer[part] for part in _PARTS if part in answer)
    return ", ".join(answer) if isinstance(answer, list) else answer
