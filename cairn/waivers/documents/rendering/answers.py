"""Prepares the questions and answers of a waiver with a form for the template: one section for each person."""

import json
from typing import Any

from cairn.waivers.documents.record import Participant, SignedRecord
from cairn.waivers.documents.rendering.images import photo_image, signature_image
from cairn.waivers.documents.rendering.waiver_text import text_direction

_KINDS_WITHOUT_ANSWER = ("heading", "paragraph")
# The fields of an address and of an emergency contact, in the order in which people write them.
_FIELDS = ("name", "relationship", "phone", "street", "postal_code", "city", "region", "country")


def people_data(record: SignedRecord) -> dict[str, Any]:
    """Returns what the document prints about the people. Without a form there is nothing besides the signature."""
    if record.form is None:
        return {"people": [], "guardian": None, "initials": []}
    questions = json.loads(record.form)["questions"]
    return {
        "people": [_person_data(participant, questions) for participant in record.participants],
        "guardian": _guardian_text(record),
        "initials": [_initials_data(initials) for initials in json.loads(record.initials or "[]")],
    }


def _person_data(participant: Participant, questions: list[dict[str, Any]]) -> dict[str, Any]:
    answers = participant.all_answers
    # A question that was hidden, or not put to this person, has no answer and is not printed.
    return {
        "name": participant.name,
        "name_dir": text_direction(participant.name),
        "role": _role(participant),
        "signature": signature_image(participant.signature) if participant.signature else None,
        "answers": [
            _answer_data(question, answers[question["key"]])
            for question in questions
            if question["kind"] not in _KINDS_WITHOUT_ANSWER and question["key"] in answers
        ],
        "deleted": participant.sensitive_sha256 is not None and participant.sensitive_answers is None,
    }


def _role(participant: Participant) -> str:
    if participant.number == 0:
        return "Signer" if participant.takes_part else "Signer, does not take part"
    return f"Minor, born {participant.birth_date}"


def _answer_data(question: dict[str, Any], answer: Any) -> dict[str, Any]:
    text = answer_text(question, answer)
    is_picture = isinstance(answer, str) and answer.startswith("data:")
    return {
        "question": question["label"],
        "question_dir": text_direction(question["label"]),
        "answer": "" if is_picture else text,
        "answer_dir": text_direction(text),
        "picture": photo_image(answer) if is_picture else None,
    }


def answer_text(question: dict[str, Any], answer: Any) -> str:
    """Returns an answer as people read it."""
    labels = {option["value"]: option["label"] for option in question.get("options", [])}
    match answer:
        case True:
            return "Agreed" if question["kind"] == "agreement" else "Yes"
        case False:
            return "No"
        case dict():
            return ", ".join(answer[field] for field in _FIELDS if field in answer)
        case list():
            return ", ".join(labels[value] for value in answer)
        case _:
            return str(labels.get(answer, answer))


def _guardian_text(record: SignedRecord) -> str | None:
    if record.guardian is None:
        return None
    relationship = json.loads(record.guardian)["relationship"]
    return f"{record.signer_name} signs for the minors above ({relationship}) and has stated that they may do so."


def _initials_data(initials: str) -> dict[str, Any]:
    is_picture = initials.startswith("data:")
    return {"text": "" if is_picture else initials, "picture": photo_image(initials) if is_picture else None}
