"""Compares rendering and sealing documents with WeasyPrint, and sealing with and without the signature template."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.cpu import process_seconds
from bench.memory import megabytes
from bench.row import Row
from bench.sign import random_signature
from cairn.db import Database, EmbeddedPostgres, migrate
from cairn.messaging import MessagingSettings
from cairn.storage import ObjectStorage, StorageSettings, new_sealing_key, open_blob_store
from cairn.waivers import DocumentContext, DocumentSettings, Seal, open_documents, verify
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.rendering import Renderer, document_data
from cairn.waivers.documents.seal_keys import from_pem, new_seal_key
from cairn.waivers.documents.sealing.sealer import KeySigner, Sealer, TemplateSigner

DOCUMENT_COUNT = 1000
WARM_UP_COUNT = 200
WEASYPRINT_DOCUMENT_COUNT = 20
SEAL_COUNT = 100
TEXT = "\n\n".join(
    f"## Part {number}\n\nI, [PARTICIPANT NAME], have read this part and **accept** the risks that [COMPANY NAME] "
    "described to me: water, weather, uneven ground, equipment that fails and the mistakes of other people.\n\n"
    "- I am fit to take part.\n- I follow the guides.\n- I may stop at any time."
    for number in range(1, 6)
)
# This script renders the same content on three pages, without a seal, in a process that can import WeasyPrint.
WEASYPRINT_SCRIPT = """
import base64, html, json, sys, time, weasyprint
data, count = json.load(sys.stdin)
escape = html.escape
picture = lambda kind, numbers: f"data:image/{kind};base64,{base64.b64encode(bytes(numbers)).decode()}"
marks = {"strong": "<b>{}</b>", "emphasis": "<i>{}</i>", "text": "{}", "break": "<br>"}
spans = lambda item: "".join(marks[span["kind"]].format(escape(span["text"])) for span in item)
tags = {"heading": "<h2>{}</h2>", "paragraph": "<p>{}</p>", "bullets": "<li>{}</li>", "numbers": "<li>{}</li>"}
text = "".join(tags[block["kind"]].format(spans(item)) for block in data["blocks"] for item in block["items"])
rows = lambda pairs: "".join(f"<tr><td>{escape(name)}<td>{escape(value)}" for name, value in pairs)
page = f'''<html lang=en><style>body {{ font-family: Noto Sans }} @page {{ size: A4; margin: 20mm }}</style><body>
<p>{escape(data["company_name"])}<h1>{escape(data["template_name"])}</h1>{text}
<img width=300 src="{picture("png", data["signature"])}">
<h1 style="break-before: page">Certificate of signing</h1><p>{escape(data["summary"])}
<table>{rows(data["details"])}</table>
<img width=110 src="{picture("svg+xml", data["qr"])}"><h2>Consent</h2><p>{escape(data["consent"])}</p>
<h2>What happened</h2><table>{rows((e["utc"], e["what"] + e["details"]) for e in data["history"])}</table>
<h2>How to check this document</h2>{"".join(f"<p>{escape(p)}</p>" for p in data["how_to_check"])}
<h1 style="break-before: page">Technical details</h1><table>{rows(data["technical_details"])}</table>
<table>{rows((e["at"], e["what"] + e["details"]) for e in data["events"])}</table>
<p>{data["record_sha256"]}</p>{"".join(f"<p>{escape(p)}</p>" for p in data["statement"])}</body></html>'''
render = lambda: weasyprint.HTML(string=page).write_pdf(pdf_tags=True)
render()
started_at = time.process_time()
for _ in range(count):
    render()
print((time.process_time() - started_at) / count)
"""


async def measure() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
        data = Path(folder)
        async with _documents(data) as documents:
            seal = documents.seal
            cpu_seconds, store_seconds, growth_megabytes, rejected_count = await _render_and_store(documents, seal)
            template_row = await _compare_signers()
        weasyprint_seconds = await asyncio.to_thread(_measure_weasyprint, data / "weasyprint")
    details = (
        f"{cpu_seconds * 1000:.0f} ms of CPU each, WeasyPrint {weasyprint_seconds * 1000:.0f} ms; "
        f"{1 / store_seconds:.0f} stored a second"
    )
    return [
        Row(
            "render and seal a document",
            cpu_seconds / weasyprint_seconds,
            goal=0.25,
            unit="of WeasyPrint",
            details=details,
            less_is_better=True,
        ),
        template_row,
        Row(
            "after 1,000 documents",
            growth_megabytes,
            goal=20,
            unit="MB more",
            details=f"since document {WARM_UP_COUNT}",
            less_is_better=True,
        ),
        Row(
            "good documents called bad",
            rejected_count,
            goal=0,
            unit=f"of {DOCUMENT_COUNT:,}",
            details="each verified",
            less_is_better=True,
        ),
    ]


@asynccontextmanager
async def _documents(data: Path) -> AsyncIterator[DocumentContext]:
    """Yields a context that stores documents as in production: encrypted, on disk and in the database."""
    postgres = EmbeddedPostgres(data / "cluster")
    settings = StorageSettings.model_validate({"sealing_key": new_sealing_key()})
    with postgres.running():
        await migrate(postgres.url())
        async with Database(postgres.url("authenticator")) as database:
            blobs = ObjectStorage(database, open_blob_store(settings, data / "storage"), settings)
            secret = settings.sealing_key.get_secret_value()
            seal_settings = DocumentSettings.model_validate({"seal_key": new_seal_key()})
            yield open_documents(
                blobs, data, "http://127.0.0.1:8000", MessagingSettings(), seal_settings, certificate_secret=secret
            )


async def _render_and_store(documents: DocumentContext, seal: Seal) -> tuple[float, float, float, int]:
    """Returns the CPU and wall seconds per document, the memory growth in MB, and the number of rejected documents."""
    cpu_seconds = started_at = memory_before = verify_seconds = 0.0
    rejected_count = 0
    sample = sample_record()
    for number in range(DOCUMENT_COUNT):
        if number == WARM_UP_COUNT:
            cpu_seconds, started_at, memory_before = 0.0, time.monotonic(), _memory_megabytes(documents)
        record = replace(sample, id=uuid4(), signer_email=f"guest{number}@example.com")
        cpu_before, cpu_by_process_before = time.process_time(), _cpu_by_process(documents)
        document = await documents.render_and_seal(record, seal)
        cpu_seconds += time.process_time() - cpu_before
        cpu_seconds += sum(cpu - cpu_by_process_before.get(pid, 0.0) for pid, cpu in _cpu_by_process(documents).items())
        await documents.store_once(record.storage_path, document)
        verify_started_at = time.monotonic()
        rejected_count += not (await verify(document, [seal.certificate])).is_unchanged
        verify_seconds += time.monotonic() - verify_started_at if number >= WARM_UP_COUNT else 0
    measured_count = DOCUMENT_COUNT - WARM_UP_COUNT
    growth_megabytes = _memory_megabytes(documents) - memory_before
    wall_seconds = time.monotonic() - started_at - verify_seconds
    return cpu_seconds / measured_count, wall_seconds / measured_count, growth_megabytes, rejected_count


def _cpu_by_process(documents: DocumentContext) -> dict[int, float]:
    return {pid: process_seconds(pid) for pid in documents.rendering.idle_process_ids}


def _memory_megabytes(documents: DocumentContext) -> float:
    """Returns the memory of this process and of the processes that render."""
    return sum(megabytes(pid, "VmRSS") for pid in (os.getpid(), *documents.rendering.idle_process_ids))


async def _compare_signers() -> Row:
    """Compares the CPU time of a seal with and without the signature template."""
    key, certificate = from_pem(new_seal_key().encode())
    pdf = Renderer().render("waiver.typ", _page_data())
    with_template = await _seal_cpu_seconds(Sealer(TemplateSigner(key, certificate), None), pdf)
    without_template = await _seal_cpu_seconds(Sealer(KeySigner(key, certificate), None), pdf)
    details = (
        f"{with_template * 1000:.1f} ms of CPU a seal, "
        f"{without_template * 1000:.1f} ms when pyHanko builds each signature"
    )
    return Row(
        "seal with the signature template",
        with_template / without_template,
        goal=0.5,
        unit="of pyHanko",
        details=details,
        less_is_better=True,
    )


async def _seal_cpu_seconds(sealer: Sealer, pdf: bytes) -> float:
    await sealer.apply(pdf)
    started_at = time.process_time()
    for _ in range(SEAL_COUNT):
        await sealer.apply(pdf)
    return (time.process_time() - started_at) / SEAL_COUNT


def _page_data() -> dict[str, Any]:
    return document_data(sample_record(), site_url="http://127.0.0.1:8000", is_timestamped=False)


def _measure_weasyprint(folder: Path) -> float:
    """Returns the CPU seconds per document."""
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "weasyprint"]
    subprocess.run(install, check=True, capture_output=True)
    result = subprocess.run(
        [sys.executable, "-c", WEASYPRINT_SCRIPT],
        input=json.dumps([_page_data(), WEASYPRINT_DOCUMENT_COUNT]),
        env={"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(result.stdout)


def sample_record() -> SignedRecord:
    signed_at = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
    content = TEXT.replace("[PARTICIPANT NAME]", "Gil Okafor").replace("[COMPANY NAME]", "Rio Rafting")
    return SignedRecord(
        id=uuid4(), session_id=uuid4(), company_id=uuid4(), company_name="Rio Rafting", template_id="tpl-river",
        template_name="River trip", template_version=1, template_content=TEXT, content=content,
        recipient_name="Gil Okafor", recipient_email="gil@example.com", signer_name="Gil Okafor",
        signer_email="gil@example.com", signature=random_signature(), signed_at=signed_at, ip="203.0.113.7",
        user_agent="A phone", time_zone="Europe/Madrid", strokes=None, consent_version=None, consent_language=None,
        consent_text=None, consented_at=None, first_viewed_at=None, last_viewed_at=None, scroll_depth=None,
        record_version=2, record_sha256="ab" * 32, document_path=None, document_sha256=None, document_at=None,
        events=[], emails=[],
    )  # fmt: skip
