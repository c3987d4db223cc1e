"""Rendering and sealing documents, compared with WeasyPrint, and what the signature template saves."""

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

from bench.memory import megabytes
from bench.row import Row
from bench.sign import signature
from cairn.db import Database, EmbeddedPostgres, migrate
from cairn.kit import now
from cairn.storage import ObjectStorage, StorageSettings, new_sealing_key, open_blob_store
from cairn.waivers import DocumentContext, DocumentSettings, Seal, load_seal, open_documents, verify
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.rendering import document_data
from cairn.waivers.documents.sealing.keys import from_pem, generate_key_and_certificate
from cairn.waivers.documents.sealing.sealer import KeySigner, Sealer, TemplateSigner

DOCUMENTS = 1000
WARM_UP = 200
WEASYPRINT_DOCUMENTS = 20
SEALS = 100
TEXT = "\n\n".join(
    f"## Part {number}\n\nI, [PARTICIPANT NAME], have read this part and **accept** the risks that [COMPANY NAME] "
    "described to me: water, weather, uneven ground, equipment that fails and the mistakes of other people.\n\n"
    "- I am fit to take part.\n- I follow the guides.\n- I may stop at any time."
    for number in range(1, 6)
)
# Runs in a process that can import WeasyPrint: the same content on two pages, not sealed.
WEASYPRINT_SCRIPT = """
import base64, html, json, sys, time, weasyprint
data, times = json.load(sys.stdin)
escape = html.escape
picture = lambda kind, numbers: f"data:image/{kind};base64,{base64.b64encode(bytes(numbers)).decode()}"
marks = {"strong": "<b>{}</b>", "emphasis": "<i>{}</i>", "text": "{}", "break": "<br>"}
spans = lambda item: "".join(marks[span["kind"]].format(escape(span["text"])) for span in item)
tags = {"heading": "<h2>{}</h2>", "paragraph": "<p>{}</p>", "bullets": "<li>{}</li>", "numbers": "<li>{}</li>"}
text = "".join(tags[b["kind"]].format(spans(item)) for b in data["blocks"] for item in b["items"])
rows = lambda pairs: "".join(f"<tr><td>{escape(a)}<td>{escape(b)}" for a, b in pairs)
page = f'''<html lang=en><style>body {{ font-family: Noto Sans }} @page {{ size: A4; margin: 20mm }}</style><body>
<h1>{escape(data["template_name"])}</h1>{text}<img width=300 src="{picture("png", data["signature"])}">
<h1 style="break-before: page">Certificate of signing</h1><table>{rows(data["details"])}</table>
<img width=110 src="{picture("svg+xml", data["qr"])}"><h2>Consent</h2><p>{escape(data["consent"])}</p>
<table>{rows((e["at"], e["what"] + e["details"]) for e in data["events"])}</table>
<p>{data["record_sha256"]}</p>{"".join(f"<p>{escape(p)}</p>" for p in data["statement"])}</body></html>'''
render = lambda: weasyprint.HTML(string=page).write_pdf(pdf_tags=True)
render()
began = time.process_time()
for _ in range(times):
    render()
print((time.process_time() - began) / times)
"""


async def measure() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder:
        data = Path(folder)
        async with _documents(data) as documents:
            seal = load_seal(data, DocumentSettings())
            ours, wall, memory_growth, rejected = await _render_and_store(documents, seal)
            template_row = await _compare_signers(documents)
        weasyprint = await asyncio.to_thread(_weasyprint, data / "weasyprint")
    details = f"{ours * 1000:.0f} ms of CPU each, WeasyPrint {weasyprint * 1000:.0f} ms; {1 / wall:.0f} stored a second"
    return [
        Row("render and seal a document", ours / weasyprint, 0.25, "of WeasyPrint", details, less_is_better=True),
        template_row,
        Row("after 1,000 documents", memory_growth, 20, "MB more", f"since document {WARM_UP}", less_is_better=True),
        Row("good documents called bad", rejected, 0, f"of {DOCUMENTS:,}", "each verified", less_is_better=True),
    ]


@asynccontextmanager
async def _documents(data: Path) -> AsyncIterator[DocumentContext]:
    """Documents are stored as in production: encrypted, on disk and in the database."""
    postgres = EmbeddedPostgres(data / "cluster")
    settings = StorageSettings.model_validate({"sealing_key": new_sealing_key()})
    with postgres.running():
        await migrate(postgres.url())
        async with Database(postgres.url("authenticator")) as database:
            blobs = ObjectStorage(database, open_blob_store(settings, data / "storage"), settings)
            yield open_documents(blobs, data, "http://127.0.0.1:8000")


async def _render_and_store(documents: DocumentContext, seal: Seal) -> tuple[float, float, float, int]:
    """Per document: CPU seconds until sealed and wall seconds until stored. In total: MB of growth, wrong verdicts."""
    cpu = wall = before = verifying = 0.0
    rejected = 0
    sample = record()
    for number in range(DOCUMENTS):
        if number == WARM_UP:
            cpu, wall, before = 0.0, time.monotonic(), megabytes(os.getpid(), "VmRSS")
        signed = replace(sample, id=uuid4(), signer_email=f"guest{number}@example.com")
        began = time.process_time()
        document = await documents.render_and_seal(signed, seal)
        cpu += time.process_time() - began
        await documents.store_once(signed.storage_path, document)
        began = time.monotonic()
        rejected += not (await verify(document, [seal.certificate])).is_unchanged
        verifying += time.monotonic() - began if number >= WARM_UP else 0
    measured = DOCUMENTS - WARM_UP
    growth = megabytes(os.getpid(), "VmRSS") - before
    return cpu / measured, (time.monotonic() - wall - verifying) / measured, growth, rejected


async def _compare_signers(documents: DocumentContext) -> Row:
    """What the signature template saves: CPU time per seal, with it and without it."""
    key, certificate = from_pem(b"".join(generate_key_and_certificate(now())))
    pdf = documents.renderer.render("waiver.typ", _page_data())
    with_template = await _seal_cpu_seconds(Sealer(TemplateSigner(key, certificate), None), pdf)
    without = await _seal_cpu_seconds(Sealer(KeySigner(key, certificate), None), pdf)
    details = f"{with_template * 1000:.1f} ms of CPU a seal, {without * 1000:.1f} ms when pyHanko builds each signature"
    return Row(
        "seal with the signature template", with_template / without, 0.5, "of pyHanko", details, less_is_better=True
    )


async def _seal_cpu_seconds(sealer: Sealer, pdf: bytes) -> float:
    await sealer.apply(pdf)
    began = time.process_time()
    for _ in range(SEALS):
        await sealer.apply(pdf)
    return (time.process_time() - began) / SEALS


def _page_data() -> dict[str, Any]:
    return document_data(record(), site_url="http://127.0.0.1:8000", is_timestamped=False)


def _weasyprint(folder: Path) -> float:
    """CPU seconds per document."""
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "weasyprint"]
    subprocess.run(install, check=True, capture_output=True)
    result = subprocess.run(
        [sys.executable, "-c", WEASYPRINT_SCRIPT],
        input=json.dumps([_page_data(), WEASYPRINT_DOCUMENTS]),
        env={"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(result.stdout)


def record() -> SignedRecord:
    moment = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
    filled = TEXT.replace("[PARTICIPANT NAME]", "Gil Okafor").replace("[COMPANY NAME]", "Rio Rafting")
    return SignedRecord(
        id=uuid4(), session_id=uuid4(), company_id=uuid4(), company_name="Rio Rafting", template_id="tpl-river",
        template_name="River trip", template_version=1, template_content=TEXT, content=filled,
        recipient_name="Gil Okafor", recipient_email="gil@example.com", signer_name="Gil Okafor",
        signer_email="gil@example.com", signature=signature(), signed_at=moment, ip="203.0.113.7",
        user_agent="A phone", time_zone="Europe/Madrid", strokes=None, consent_version=None, consent_language=None,
        consent_text=None, consented_at=None, first_viewed_at=None, last_viewed_at=None, scroll_depth=None,
        record_version=2, record_sha256="ab" * 32, document_path=None, document_sha256=None, document_at=None,
        events=[], emails=[],
    )  # fmt: skip
