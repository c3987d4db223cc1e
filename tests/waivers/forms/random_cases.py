"""Makes random forms, and signing requests that fit them or nearly fit them. The same seed always gives the same cases.

A case is a form with its requests. The database decides whether each request fits its form. cases.json stores the
results, and the browser must get the same ones.
"""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Any

from tests.waivers.forms.random_values import BLANK, INVALID, NAMES, OPTIONS, PNG, VALID

REQUEST_COUNT = 2000
REQUESTS_PER_FORM = 20
# Some of them are leap days or next to one, where it is easy to compute a wrong age.
DAYS = ["2026-06-15", "2027-02-28", "2027-03-01", "2028-02-29"]
SIGNED = {"signature": PNG}

Json = dict[str, Any]


def random_cases() -> Iterator[Json]:
    """Yields each form with the signing requests that are checked against it."""
    random = Random(190120)  # noqa: S311 -- the cases must be the same each time
    for _ in range(REQUEST_COUNT // REQUESTS_PER_FORM):
        form = random_form(random)
        content = "I ride. " + "I agree. [INITIALS] " * random.choice([0, 0, 0, 1, 2])
        today = random.choice(DAYS)
        yield {
            "form": form,
            "content": content,
            "today": today,
            "requests": [random_request(random, form, content, today) for _ in range(REQUESTS_PER_FORM)],
        }


def random_form(random: Random) -> Json:
    covers: Json = {}
    if random.random() < 0.7:
        covers["minors"] = random.choice(
            [{}, {"most": 2}, {"own_signature_from_age": 9}, {"most": 3, "own_signature_from_age": 12}]
        )
        covers["signer"] = random.random() < 0.6
    if random.random() < 0.3:
        covers["age_of_majority"] = random.choice([None, 16, 21])
    if random.random() < 0.3:
        covers |= random.choice([{"minimum_age": 8}, {"maximum_age": 70}, {"minimum_age": 6, "maximum_age": 90}])
    form: Json = {"covers": covers, "questions": []}
    for number in range(random.randint(0, 8)):
        form["questions"].append(random_question(random, form, f"q{number}"))
    return form


def random_question(random: Random, form: Json, key: str) -> Json:
    kind = random.choice([*VALID, "yes_no", "one_of", "heading", "paragraph"])
    question: Json = {"key": key, "kind": kind, "label": key.upper()}
    if random.random() < 0.8:
        question["asked_of"] = random.choice(["signer", "participant", "participant", "minor", "adult"])
    if kind in VALID:
        question["required"] = random.random() < 0.4
    if kind in ("one_of", "several_of"):
        question["options"] = OPTIONS
    if kind == "number" and random.random() < 0.5:
        question |= {"min": -1, "max": random.choice([10, 42, 12.5])}
    earlier = [q for q in form["questions"] if q["kind"] in VALID and is_answered_by_all(form, q, question)]
    if earlier and random.random() < 0.5:
        question["show_if"] = random_condition(random, random.choice(earlier))
    return question


def is_answered_by_all(form: Json, earlier: Json, later: Json) -> bool:
    """Returns whether everyone who answers the later question also answers the earlier one."""
    first, second = str(earlier.get("asked_of", "signer")), str(later.get("asked_of", "signer"))
    covers_signer: bool = form["covers"].get("signer", True)
    if first == "participant":
        return second != "signer" or covers_signer
    if first == "adult":
        return second in ("adult", "signer") and covers_signer
    return first == "signer" or second == "minor"


def random_condition(random: Random, earlier: Json) -> Json:
    values = VALID[earlier["kind"]]
    # If several options were chosen, each of them counts.
    plain = [v[0] if isinstance(v, list) else v for v in values if not isinstance(v, dict) and len(str(v)) <= 20] or [
        "x"
    ]
    comparison = random.choice(["is", "is", "is_not", "is_one_of", "is_filled"])
    value: Any = {"is_one_of": random.sample(plain, 1), "is_filled": True}.get(comparison, random.choice(plain))
    return {"question": earlier["key"], comparison: value}


def random_request(random: Random, form: Json, content: str, today: str) -> Json:
    # The probability that a single value is valid.
    accuracy = random.choice([1.0, 1.0, 1.0, 0.97, 0.9])
    answers = random_answers(random, form, {}, accuracy, is_signer=True)
    minors = form["covers"].get("minors")
    most = 0 if minors is None else minors.get("most") or 10
    count = random.choice([0, 1, 1, 2, 3]) if minors is not None else 0
    if random.random() < accuracy:
        count = min(most, max(count, 0 if form["covers"].get("signer", True) else 1))
    else:
        count = random.choice([0, most + 1])
    participants = [random_minor(random, form, answers, today, accuracy) for _ in range(count)]
    guardian: Json | None = {"relationship": "mother", "has_authority": True} if participants else None
    if random.random() > accuracy:
        guardian = random.choice([None, {"relationship": " ", "has_authority": True},
                                  {"relationship": "mother", "has_authority": False}])  # fmt: skip
    places = content.count("[INITIALS]") if random.random() < accuracy else random.choice([0, 1, 3])
    initials = [pick(random, {"kind": "initials"}, accuracy) for _ in range(places)]
    if random.random() < 0.4:
        spoil_one(random, form, random.choice([answers, *(minor["answers"] for minor in participants)]))
    return {"answers": answers, "participants": participants, "guardian": guardian, "initials": initials}


def spoil_one(random: Random, form: Json, answers: Json) -> None:
    """Replaces one answer with another one, which is often invalid."""
    given = [question for question in form["questions"] if question["key"] in answers]
    if given:
        question = random.choice(given)
        answers[question["key"]] = pick(random, question, accuracy=0.1)


def random_minor(random: Random, form: Json, signer_answers: Json, today: str, accuracy: float) -> Json:
    majority = form["covers"].get("age_of_majority") or 18
    is_accurate = random.random() < accuracy
    age = (
        random.randint(7, majority - 1) if is_accurate else random.choice([5, 8, majority - 1, majority, majority + 1])
    )
    from_age = (form["covers"].get("minors") or {}).get("own_signature_from_age")
    shared = {
        q["key"]: signer_answers[q["key"]]
        for q in form["questions"]
        if q.get("asked_of") != "participant" and q["key"] in signer_answers
    }
    minor: Json = {
        "name": random.choice(NAMES) if random.random() < accuracy else random.choice(BLANK),
        "birth_date": random_birth_date(random, today, age, is_accurate),
        "kind": "minor" if random.random() < accuracy else random.choice(["minor", "adult"]),
        "answers": random_answers(random, form, shared, accuracy, is_signer=False),
    }
    signs = from_age is not None and age >= from_age
    return minor | (SIGNED if signs == (random.random() < accuracy) else {})


def random_birth_date(random: Random, today: str, age: int, is_accurate: bool) -> Any:
    """Returns a birth date that gives this age. If not `is_accurate`, it is invalid or close to a birthday."""
    year, month, day = (int(part) for part in today.split("-"))
    birthday = date(year - age, month, min(day, 28))
    if is_accurate:
        return (birthday - timedelta(days=random.randint(2, 360))).isoformat()
    return random.choice(
        [*INVALID["birth_date"], None, *((birthday + timedelta(days=days)).isoformat() for days in (-1, 0, 1, 2))]
    )


def random_answers(random: Random, form: Json, shared: Json, accuracy: float, *, is_signer: bool) -> Json:
    answers: Json = {}
    for question in form["questions"]:
        is_expected = is_for(form, question, is_signer) and is_shown(question.get("show_if"), {**shared, **answers})
        skip = 0.0 if question.get("required") else 0.3
        if question["kind"] not in VALID:
            is_expected = False
        if is_expected == (random.random() < accuracy) and random.random() >= skip * accuracy:
            answers[question["key"]] = pick(random, question, accuracy)
    if random.random() > accuracy:
        answers["unknown"] = True
    return answers


def pick(random: Random, question: Json, accuracy: float) -> Any:
    kind = question["kind"]
    if random.random() < accuracy and kind in VALID:
        values = [v for v in VALID[kind] if "min" not in question or question["min"] <= v <= question["max"]]
        return random.choice(values)
    return random.choice([*INVALID.get(kind, [True]), *BLANK])


def is_for(form: Json, question: Json, is_signer: bool) -> bool:
    covers_signer: bool = form["covers"].get("signer", True)
    return {
        "signer": is_signer,
        "participant": not is_signer or covers_signer,
        "adult": is_signer and covers_signer,
        "minor": not is_signer,
    }[question.get("asked_of", "signer")]


def is_shown(condition: Json | None, answers: Json) -> bool:
    """Returns whether the question is shown. This only influences how many requests fit, so it need not be exact."""
    if condition is None:
        return True
    answer = answers.get(condition["question"])
    chosen = answer if isinstance(answer, list) else [answer]
    if answer is None or "is_filled" in condition:
        return answer is not None
    if "is_not" in condition:
        return condition["is_not"] not in chosen
    return any(value in chosen for value in condition.get("is_one_of", [condition.get("is")]))


def to_lines(cases: list[Json]) -> str:
    """Writes each form and request on its own line, so that a diff is readable. Invisible characters are escaped."""
    blocks = []
    for case in cases:
        requests = ",\n".join(json.dumps(request, separators=(",", ":")) for request in case["requests"])
        head = json.dumps({name: value for name, value in case.items() if name != "requests"}, separators=(",", ":"))
        blocks.append(f'{head[:-1]},"requests":[\n{requests}]}}')
    return "[\n" + ",\n".join(blocks) + "\n]\n"
