"""Traces reach a collector and errors reach Sentry, by the protocols of both, without personal data."""

import asyncio
import gzip
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import brotli
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from cairn.settings import SettingsInvalid, load_settings
from tests.observability.test_logs import (
    FILE_NAME,
    GIL,
    LINK_SECRET,
    PASSWORD,
    ROSA,
    do_everything_that_is_logged,
    wait_for_email,
)
from tests.serving import serving
from tests.waiting import PATIENCE_SECONDS

HEADER = "Authorization: Bearer key-of-the-collector"


@dataclass(slots=True)
class Collector:
    """Speaks OTLP over HTTP and the envelope protocol of Sentry."""

    url: str = ""
    requests: list[tuple[str, str, bytes]] = field(default_factory=list)

    def spans(self, service: str) -> list[Span]:
        return [
            span
            for path, _, body in self.requests
            if path == "/v1/traces"
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            if ("service.name", service)
            in {(item.key, item.value.string_value) for item in resource.resource.attributes}
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def events(self) -> list[dict[str, Any]]:
        """Returns the events of all envelopes. Each item of an envelope is a line with its type and a line of JSON."""
        found = []
        for path, _, body in self.requests:
            if path == "/api/1/envelope/":
                lines = [json.loads(line) for line in body.splitlines() if line]
                found += [item for kind, item in zip(lines[1::2], lines[2::2], strict=True) if kind["type"] == "event"]
        return found

    @property
    def sent(self) -> str:
        return "".join(body.decode("utf-8", "replace") for _, _, body in self.requests)


@contextmanager
def running_collector() -> Iterator[Collector]:
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            decompress = {"gzip": gzip.decompress, "br": brotli.decompress}.get(
                self.headers.get("Content-Encoding", "")
            )
            body = body if decompress is None else decompress(body)
            collector.requests.append((self.path, self.headers.get("Authorization", ""), body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Requests are not printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.accept("OPS-57")
async def test_a_server_and_its_worker_send_spans_of_requests_and_jobs_without_personal_data(tmp_path: Path) -> None:
    with running_collector() as collector:
        settings = {
            "CAIRN_TRACING__OTLP_ENDPOINT": f"{collector.url}/v1/traces",
            "CAIRN_TRACING__OTLP_HEADER": HEADER,
        }
        with serving(tmp_path, settings=settings) as server:
            responses = await do_everything_that_is_logged(server)
            await wait_for_email(server)

    server_spans, worker_spans = collector.spans("cairn-server"), collector.spans("cairn-worker")
    names = {span.name for span in server_spans}
    assert {"POST auth", "GET storage", "GET documents"} <= names
    sent_ids = {attributes_of(span)["cairn.request_id"] for span in server_spans}
    assert {response.headers["x-request-id"] for response in responses} <= sent_ids
    assert {attributes_of(span)["http.response.status_code"] for span in server_spans} >= {"200", "400"}
    assert any(span.name.startswith("job ") for span in worker_spans)
    assert {authorization for _, authorization, _ in collector.requests} == {HEADER.partition(": ")[2]}
    for private_text in (ROSA, "rosa", GIL, "Okafor", PASSWORD, "Horse", FILE_NAME, LINK_SECRET, "127.0.0.1"):
        assert private_text not in collector.sent


def attributes_of(span: Span) -> dict[str, str]:
    return {item.key: item.value.string_value or str(item.value.int_value) for item in span.attributes}


FAILING_PROGRAM = """
import asyncio, logging, sys
from pydantic import SecretStr
from cairn.kit import Problem, span
from cairn.tracing import TracingSettings, tracing

async def main():
    settings = TracingSettings(otlp_endpoint=sys.argv[1] + "/v1/traces", sentry_dsn=SecretStr(sys.argv[2]))
    async with tracing(settings, "worker"):
        secret_variable = "Gil Okafor"
        logging.getLogger("cairn").info("nothing to report about gil@example.com")
        try:
            with span("job test"):
                raise ValueError("mailbox of gil@example.com is full\\nDETAIL: Failing row contains (Gil Okafor)")
        except ValueError:
            logging.getLogger("cairn.test").exception("no email to %s", "gil@example.com")

asyncio.run(main())
"""


@pytest.mark.accept("OPS-57", "OPS-58")
def test_errors_reach_sentry_with_their_traceback_and_without_personal_data() -> None:
    with running_collector() as collector:
        run_program(FAILING_PROGRAM, collector.url, collector.url.replace("http://", "http://key@") + "/1")

    [event] = collector.events()
    [error] = event["exception"]["values"]
    assert (event["level"], event["logger"], event["tags"]) == ("error", "cairn.test", {"program": "worker"})
    assert event["logentry"]["formatted"] == "no email to [address]"
    assert (error["type"], error["value"]) == ("ValueError", "mailbox of [address] is full\nDETAIL: [hidden]")
    assert [frame["function"] for frame in error["stacktrace"]["frames"]] == ["main"]
    assert not any("vars" in frame for frame in error["stacktrace"]["frames"])
    assert event.keys().isdisjoint({"user", "request", "breadcrumbs", "server_name", "extra", "contexts", "modules"})
    [span] = collector.spans("cairn-worker")
    assert (span.name, span.status.message, list(span.events)) == ("job test", "ValueError", [])
    assert "gil@example.com" not in collector.sent
    assert "Okafor" not in collector.sent.replace('secret_variable = \\"Gil Okafor\\"', "")


@pytest.mark.accept("OPS-57", "OPS-58")
def test_the_libraries_are_imported_only_if_they_are_used() -> None:
    commands = "cairn.commands.serve, cairn.commands.worker"
    run_program(f"import sys, {commands}; assert {{'opentelemetry', 'sentry_sdk'}}.isdisjoint(sys.modules)")


def run_program(source: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-c", source, *arguments], check=True, timeout=120)


async def test_a_collector_that_cannot_be_reached_delays_nothing(tmp_path: Path) -> None:
    settings = {"CAIRN_TRACING__OTLP_ENDPOINT": "http://127.0.0.1:9/v1/traces"}
    with serving(tmp_path, settings=settings) as server:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await do_everything_that_is_logged(server)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CAIRN_TRACING__OTLP_ENDPOINT", "collector:4318"),
        ("CAIRN_TRACING__OTLP_ENDPOINT", "http:///v1/traces"),
        ("CAIRN_TRACING__OTLP_ENDPOINT", "http://[collector/v1/traces"),
        ("CAIRN_TRACING__OTLP_HEADER", "secret-without-a-name"),
        ("CAIRN_TRACING__OTLP_HEADER", "Authorization: secret\nX-Second: header"),
        ("CAIRN_TRACING__SAMPLE_RATIO", "2"),
        ("CAIRN_TRACING__SAMPLE_RATIO", "nan"),
        ("CAIRN_TRACING__SENTRY_DSN", "secret"),
        ("CAIRN_TRACING__SENTRY_DSN", "https://sentry.example.com/secret"),
        ("CAIRN_TRACING__SENTRY_DSN", "https://secret@sentry.example.com"),
    ],
)
def test_a_wrong_setting_is_named_in_one_line_without_its_value(
    name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(SettingsInvalid, match=name) as refused:
        load_settings(data=tmp_path)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)
