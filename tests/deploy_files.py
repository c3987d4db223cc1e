"""Reads the files in `deploy/`. The Helm chart is rendered as `helm template` would render it."""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from gotpl.exts.helm.runtime import HelmTemplateEngine

from tests.structure.tree import ROOT, read_source

DEPLOY = ROOT / "deploy"
CHART = DEPLOY / "helm" / "cairn"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))


def compose_file() -> dict[str, Any]:
    return _mapping(read_source(DEPLOY / "compose" / "compose.yaml"))


def chart_info() -> dict[str, Any]:
    return _mapping(read_source(CHART / "Chart.yaml"))


def chart_values() -> dict[str, Any]:
    return _mapping(read_source(CHART / "values.yaml"))


def rendered_chart(**values: object) -> list[dict[str, Any]]:
    """Returns the objects of the chart. `values` replace top-level values of the chart."""
    sources = {file.name: file.read_text("utf-8") for file in (CHART / "templates").iterdir()}
    context = {
        "Values": {**chart_values(), **values},
        "Chart": {"Name": "cairn", "AppVersion": chart_info()["appVersion"]},
        "Release": {"Name": "waivers", "Service": "Helm"},
    }
    engine = HelmTemplateEngine(sources, strict=True)
    texts = engine.render({name: context for name in sources if name.endswith(".yaml")}).values()
    return [document for text in texts for document in yaml.safe_load_all(text) if document]


def pods(objects: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yields the component, the pod and its container for each object of the chart that runs one."""
    for item in objects:
        if item["kind"] in ("Deployment", "Job"):
            pod = item["spec"]["template"]["spec"]
            [container] = pod["containers"]
            yield container["name"], pod, container


def variables(container: Mapping[str, Any]) -> dict[str, str]:
    return {variable["name"]: variable["value"] for variable in container["env"]}


def env_file(path: str) -> dict[str, str]:
    """Returns the variables of a file in `deploy/`, including those that are commented out."""
    lines = [line.lstrip("#") for line in read_source(DEPLOY / path).splitlines()]
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith(" "))


def _mapping(text: str) -> dict[str, Any]:
    content = yaml.safe_load(text)
    assert isinstance(content, dict)
    return content
