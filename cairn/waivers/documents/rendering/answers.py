"""Prepares the questions and answers of a waiver with a form for `waiver.typ`: one section for each person."""

import json
from typing import Any

from cairn.waivers.documents.record import Participant, SignedRecord
from cairn.waivers.documents.rendering.images import Pictures
from cairn.waivers.documents.rendering.waiver_text import text_direction

_KINDS_WITHOUT_ANSWER = ("heading", "paragraph")
_KINDS_WITH_PICTURE = ("photo", "initials")
# A longer answer may be split between two pages.
_MAX_UNSPLIT_CHARACTERS = 1000
_MAX_UNSPLIT_LINES = 20
NOT_PRINTED = "The answers of this waiver are too long or cannot be printed. They are stored with the record."
# The fields of an address and of an emergency contact, in the order in which people write them.
_FIELDS = ("name", "relationship", "phone", "street", "postal_code", "city", "region", "country")


def people_data(record: SignedRecord, pictures: Pictures, *, with_answers: bool) -> dict[str, Any]:
    """Returns what the document prints about the people of a waiver with a form."""
    if record.form is None:
        return {"people": [], "answers_note": "", "guardian": None, "initials": []}
    questions = json.loads(record.form)["questions"] if with_answers else []
    return {
        "people": [_person_data(participant, questions, pictures) for participant in record.participants],
        "answers_note": "" if with_answers else NOT_PRINTED,
        "guardian": _guardian_text(record),
        "initials": [_initials_data(initials, pictures) for initials in json.loads(record.initials or "[]")],
    }


def _person_data(participant: Participant, questions: list[dict[str, Any]], pictures: Pictures) -> dict[str, Any]:
    answers = participant.all_answers
    # A question that was hidden, or not asked of this person, has no answer and is not printed.
    return {
        "name": participant.name,
        "name_dir": text_direction(participant.name),
        "role": _role(participant),
        "signature": pictures.signature(participant.signature) if participant.signature else None,
        "answers": [
            _answer_data(question, answers[question["key"]], pictures)
            for question in questions
            if question["kind"] not in _KINDS_WITHOUT_ANSWER and question["key"] in answers
        ],
        "deleted": participant.sensitive_sha256 is not None and participant.sensitive_answers is None,
    }


def _role(participant: Participant) -> str:
    if participant.number == 0:
        return "Signer" if participant.takes_part else "Signer, does not take part"
    return f"Minor, born {participant.birth_date}"


def _answer_data(question: dict[str, Any], answer: Any, pictures: Pictures) -> dict[str, Any]:
    text = answer_text(question, answer)
    is_picture = question["kind"] in _KINDS_WITH_PICTURE and answer.startswith("data:")
    return {
        "question": question["label"],
        "question_dir": text_direction(question["label"]),
        "answer": "" if is_picture else text,
        "answer_dir": text_direction(text),
        # A long answer continues on the next page. A short one, or a picture, moves there as a whole.
        "is_long": not is_picture and (len(text) > _MAX_UNSPLIT_CHARACTERS or text.count("\n") > _MAX_UNSPLIT_LINES),
        "photo": pictures.photo(answer) if is_picture else None,
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


def _initials_data(initials: str, pictures: Pictures) -> dict[str, Any]:
    is_picture = initials.startswith("data:")
    return {"text": "" if is_picture else initials, "photo": pictures.photo(initials) if is_picture else None}
