"""The alert rules and the dashboard use only metrics that Cairn exports, and docs/operations.md lists all of them."""

import json
import re
from collections.abc import Mapping

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from cairn.db import Database
from cairn.jobs import QueueState
from cairn.kit import count
from cairn.metrics import Metrics
from tests.structure.tree import ROOT, read_source

ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
DASHBOARD = ROOT / "deploy" / "grafana" / "cairn.json"
METRIC = re.compile(r"\b(?:cairn|process)_[a-z_]+\b(?:\{(?P<matchers>[^}]*)\})?")
GROUPING = re.compile(r"\bby \((?P<labels>[^)]*)\)")
# Prometheus adds these labels itself, and `le` is the label of the buckets of a histogram.
LABELS_OF_PROMETHEUS = {"instance", "job", "le"}


@pytest.mark.accept("OPS-25")
def test_alerts_and_dashboard_use_only_exported_metrics_and_labels() -> None:
    exported_labels = labels_by_metric()
    expressions = [*alert_expressions(), *dashboard_expressions()]

    assert len(expressions) >= 20
    for expression in expressions:
        names = {match[0].partition("{")[0] for match in METRIC.finditer(expression)}
        assert names, expression
        assert names <= exported_labels.keys(), expression
        labels = {label for name in names for label in exported_labels[name]} | LABELS_OF_PROMETHEUS
        assert used_labels(expression) <= labels, expression


@pytest.mark.accept("OPS-25")
def test_the_dashboard_shows_and_the_docs_list_every_metric_of_cairn() -> None:
    exported = {re.sub(r"_(bucket|count|sum|created)$", "", name) for name in labels_by_metric()}
    cairn_metrics = {name for name in exported if name.startswith("cairn_")}
    shown = {re.sub(r"_(bucket|count)$", "", match[0].partition("{")[0])
             for expression in dashboard_expressions() for match in METRIC.finditer(expression)}  # fmt: skip
    documented = set(re.findall(r"^\| `(cairn_\w+)` \|", read_source(ROOT / "docs" / "operations.md"), re.MULTILINE))

    assert documented == cairn_metrics
    assert cairn_metrics <= shown


def alert_expressions() -> list[str]:
    return re.findall(r"^ +expr: (.+)$", read_source(ALERTS), re.MULTILINE)


def dashboard_expressions() -> list[str]:
    panels = json.loads(read_source(DASHBOARD))["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


def used_labels(expression: str) -> set[str]:
    matched = {part.partition("=")[0].rstrip("!") for match in METRIC.finditer(expression) if match["matchers"]
               for part in match["matchers"].split(",")}  # fmt: skip
    grouped = {label.strip() for match in GROUPING.finditer(expression) for label in match["labels"].split(",")}
    return matched | grouped


def labels_by_metric() -> Mapping[str, set[str]]:
    """Gives each metric a value, and returns the names of all samples with their labels."""
    metrics = Metrics(Database("postgresql://nowhere"))
    metrics.queue = QueueState(delay_seconds=0.0, failed_jobs=0)
    metrics.requests.labels("rest", "2xx").observe(0.1)
    for name, *labels in (
        ("jobs", "job", "succeeded"), ("emails", "sent"), ("realtime_messages",), ("realtime_unreadable_rows",),
        ("seal_failures", "document"),
    ):  # fmt: skip
        count(name, *labels)
    families = text_string_to_metric_families(generate_latest(metrics.registry).decode())
    found: dict[str, set[str]] = {}
    for entry in (entry for family in families for entry in family.samples):
        found.setdefault(entry.name, set()).update(entry.labels)
    return found
