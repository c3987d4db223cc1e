"""A signed document has no orphaned lines, a certificate in plain words, and the technical details at the end."""

import re
import subprocess
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from cairn.waivers.documents.record import AuditEvent, SignedRecord
from cairn.waivers.documents.rendering import Renderer, document_data
from tests.waivers.documents.conftest import SIGNED_AT, MakeRecord

pytestmark = pytest.mark.usefixtures("pdf_tools")

SENTENCE = "I understand that rafts capsize and that help may be far away. "


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer()


def pages_of(renderer: Renderer, record: SignedRecord, folder: Path) -> list[str]:
    """Returns the text of each page, without the footer."""
    file = folder / "waiver.pdf"
    file.write_bytes(renderer.render("waiver.typ", _data(record)))
    command = ["pdftotext", "-layout", str(file), "-"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    pages = [page.rstrip().splitlines() for page in text.split("\f")[:-1]]
    assert all(re.search(r"Page \d+ of \d+$", page[-1]) for page in pages)
    return ["\n".join(page[:-1]).strip() for page in pages]


def _data(record: SignedRecord) -> dict[str, Any]:
    return document_data(record, site_url="https://cairn.example", is_timestamped=False)


ENDINGS = {
    "paragraphs": "\n\n".join(SENTENCE * 2 for _ in range(4)),
    "a list": "\n".join(f"- {SENTENCE}" for _ in range(9)),
    "a heading and a paragraph": f"## The end\n\n{SENTENCE}",
    "one long paragraph": SENTENCE * 60,
}


@pytest.mark.accept("APP-30")
@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_a_signature_is_never_alone_on_a_page(
    renderer: Renderer, make_record: MakeRecord, ending: str, tmp_path: Path
) -> None:
    page_counts = set()
    for line_count in range(0, 46, 3):
        text = "".join(f"Rule {number}.\n" for number in range(line_count)) + f"\n{ending}"
        pages = pages_of(renderer, make_record(template_content=text, content=text), tmp_path)

        [signed] = [page for page in pages if re.search(r"^ *Signature$", page, re.MULTILINE)]
        before_signature = signed.partition("Signature")[0]
        assert "capsize" in before_signature or "help may be far away" in before_signature, line_count
        page_counts.add(len(pages))
    assert len(page_counts) > 1, "in some of these texts the signature moves to the next page"


@pytest.mark.accept("APP-30")
def test_a_heading_stays_with_the_text_below_it(renderer: Renderer, make_record: MakeRecord, tmp_path: Path) -> None:
    for line_count in range(24, 40):
        rules = "".join(f"Rule {number}.\n" for number in range(line_count))
        text = f"{rules}\n## Rafting at night\n\n{SENTENCE * 4}\n\n{SENTENCE * 20}"
        pages = pages_of(renderer, make_record(template_content=text, content=text), tmp_path)

        assert not any(page.endswith("Rafting at night") for page in pages), line_count


@pytest.mark.accept("APP-30")
def test_the_first_page_names_the_company_the_waiver_and_the_signer(
    renderer: Renderer, make_record: MakeRecord, tmp_path: Path
) -> None:
    text = "# River trip\n\nI ride along."
    record = make_record(template_content=text, content=text, company_time_zone="America/Denver")

    [first, *_] = pages_of(renderer, record, tmp_path)

    assert [" ".join(line.split()) for line in first.splitlines() if line.strip()][:4] == [
        "R Rio Rafting",
        "River trip",
        "Signed by Gil Okafor on November 15, 2026 at 2:30 AM (Mountain Time)",
        "I ride along.",
    ], "the initial takes the place of a logo, and the title is printed once"


def event(name: str, details: dict[str, str], before: timedelta, digit: str, title: str) -> AuditEvent:
    return AuditEvent(1, name, details, SIGNED_AT - before, None, digit * 64, title=title)


EMAIL = {"email_id": "1", "recipient": "gil@example.com"}
EVENTS = [
    event("session.opened", {"ip": "203.0.113.9"}, timedelta(days=1), "a", "Waiver created"),
    event("email.accepted", EMAIL, timedelta(hours=20), "b", "Email accepted by the mail server"),
]


@pytest.mark.accept("APP-31")
def test_the_certificate_is_in_plain_words_with_local_times_and_utc(
    renderer: Renderer, make_record: MakeRecord, tmp_path: Path
) -> None:
    record = make_record(events=EVENTS, company_time_zone="America/Denver")

    [_, certificate, technical] = pages_of(renderer, record, tmp_path)

    assert certificate.startswith("Certificate of signing")
    for expected in (
        "November 15, 2026 at 2:30:12 AM (Mountain Time)", "2026-11-15 09:30:12 UTC",
        "November 15, 2026 at 10:30:12 AM (Madrid time)", "Mountain Time", "November 14, 2026 at 2:30:12 AM",
        "2026-11-14 09:30:12", "to gil@example.com", "Scan the code above",
    ):  # fmt: skip
        assert expected in certificate, expected
    identifiers = [str(record.id), str(record.session_id), record.record_sha256, "a" * 16, "b" * 16, "203.0.113.7"]
    assert not [identifier for identifier in identifiers if identifier in certificate]
    assert technical.startswith("Technical details")
    assert not [identifier for identifier in identifiers if identifier not in technical]


@pytest.mark.accept("APP-31")
@pytest.mark.parametrize(
    ("company", "signer", "expected", "has_utc_column_only"),
    [
        ("America/Denver", None, "2:30:12 AM (Mountain Time)", False),
        ("UTC", "Europe/Madrid", "10:30:12 AM (Madrid time)", False),
        (None, "Nowhere/Atlantis", "2026-11-15 09:30:12 UTC", True),
    ],
)
def test_the_certificate_uses_the_zone_of_the_company_or_else_of_the_signer(
    make_record: MakeRecord, company: str | None, signer: str | None, expected: str, has_utc_column_only: bool
) -> None:
    data = _data(make_record(company_time_zone=company, time_zone=signer))

    details = dict(data["details"])
    assert expected in (details.get("Signed on") or details["Signed on (UTC)"])
    assert "Signer's local time" not in details, "it would be the same or unknown"
    assert (data["zone"] is None) == has_utc_column_only


@pytest.mark.accept("APP-31")
def test_a_long_certificate_leaves_no_nearly_empty_page(
    renderer: Renderer, make_record: MakeRecord, tmp_path: Path
) -> None:
    events = [replace(EVENTS[0], id=number) for number in range(26)]

    pages = pages_of(renderer, make_record(events=events), tmp_path)

    [page] = [page for page in pages if "How to check this document" in page]
    assert "Certificate of signing" not in page, "this certificate needs a second page"
    assert "Technical details" in page


@pytest.mark.accept("APP-32")
def test_the_document_of_sample_data_says_that_its_times_are_made_up(make_record: MakeRecord) -> None:
    sampled = event("session.sampled", {}, timedelta(), "c", "Marked as sample data: all times above are made up")

    real, sample = _data(make_record(events=EVENTS)), _data(make_record(events=[*EVENTS, sampled]))

    assert "its times are made up" in sample["summary"]
    assert any("The times are made up" in text for text in sample["statement"])
    assert not any("service's own clock" in text for text in sample["statement"])
    assert "made up" not in real["summary"]
    assert any("service's own clock" in text for text in real["statement"])
