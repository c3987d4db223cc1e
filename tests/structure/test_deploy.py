"""The files in `deploy/` use settings that exist, and agree about ports, versions and users."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cairn import __version__
from cairn.db import embedded
from cairn.production import refuse_development_settings
from cairn.settings import PREFIX, Settings, load_settings, variable_names
from tests.deploy_files import (
    CHART,
    DEPLOY,
    UNITS,
    chart_info,
    compose_file,
    env_file,
    pods,
    rendered_chart,
    variables,
)
from tests.structure.tree import ROOT, read_source

SETTING = re.compile(rf"\b{PREFIX}[A-Z0-9_]+\b")
DOCKERFILE = read_source(DEPLOY / "Dockerfile")
# The values that an operator enters.
OPERATOR_VALUES = {"SITE_HOST": "waivers.example.com", "POSTGRES_PASSWORD": "1", "STORE_SECRET": "2"}
# Kubernetes would set variables such as the first one, but the chart turns them off. A comment in the chart names it.
# CAIRN_SECRETS contains several settings.
NOT_SETTINGS = {"CAIRN_SERVER_SERVICE_HOST", "CAIRN_SECRETS"}
ALLOW_SANDBOX = {"CAIRN_BILLING__ALLOW_SANDBOX": "true"}


def compose_environment(service: str) -> dict[str, str]:
    def filled_in(value: object) -> str:
        return re.sub(r"\$\{(\w+):\?[^}]*\}", lambda match: OPERATOR_VALUES[match[1]], str(value))

    return {name: filled_in(value) for name, value in compose_file()["services"][service]["environment"].items()}


def loaded_settings(monkeypatch: pytest.MonkeyPatch, data: Path, environment: dict[str, str]) -> Settings:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return load_settings(data=data)


@pytest.mark.accept("OPS-52")
def test_every_setting_in_the_deploy_files_exists() -> None:
    files = [path for path in DEPLOY.rglob("*") if path.is_file()]
    used = {name: path.name for path in files for name in SETTING.findall(read_source(path))}

    assert len(used) > 15
    assert used.keys() - set(variable_names(Settings)) - NOT_SETTINGS == set()


@pytest.mark.accept("OPS-52")
@pytest.mark.parametrize("service", ["server", "worker", "migrate"])
def test_the_server_accepts_the_settings_of_the_compose_file(
    service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = {name: value for name, value in env_file("compose/.env.example").items() if value}
    operator_settings = {name: value for name, value in examples.items() if name.startswith(PREFIX)}
    settings = loaded_settings(monkeypatch, tmp_path, {**operator_settings, **compose_environment(service)})

    refuse_development_settings(settings)
    assert settings.auth.is_public
    assert settings.database.url is not None
    assert settings.storage.s3.bucket == "cairn"


@pytest.mark.accept("OPS-52")
def test_the_server_accepts_the_settings_of_the_systemd_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = {name: value for name, value in env_file("systemd/cairn.env.example").items() if value}
    settings = loaded_settings(monkeypatch, tmp_path, {**examples, **ALLOW_SANDBOX})

    refuse_development_settings(settings)
    assert settings.auth.is_public


@pytest.mark.accept("OPS-52")
def test_the_server_accepts_the_settings_of_the_chart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    containers = {component: container for component, _, container in pods(rendered_chart())}
    for container in containers.values():
        settings = loaded_settings(monkeypatch, tmp_path, {**variables(container), **ALLOW_SANDBOX})
        refuse_development_settings(settings)

    assert containers.keys() == {"server", "worker", "migrate"}
    assert settings.auth.site_url == "https://waivers.example.com"


@pytest.mark.accept("OPS-52")
def test_the_deploy_files_agree_about_ports() -> None:
    containers = {component: container for component, _, container in pods(rendered_chart())}
    chart_ports = {
        name: {port["name"]: port["containerPort"] for port in container.get("ports", ())}
        for name, container in containers.items()
    }
    metrics_ports = [
        (str(source["CAIRN_METRICS__PORT"]), str(worker_source["CAIRN_METRICS__WORKER_PORT"]))
        for source, worker_source in (
            (compose_environment("server"), compose_environment("worker")),
            (variables(containers["server"]), variables(containers["worker"])),
            (env_file("systemd/cairn.env.example"),) * 2,
        )
    ]
    port = Settings.model_fields["port"].default

    assert f"EXPOSE {port}\n" in DOCKERFILE
    assert f"server:{port} " in read_source(DEPLOY / "compose" / "Caddyfile")
    assert f"127.0.0.1:{port}/health/live" in str(compose_file()["services"]["server"]["healthcheck"])
    assert chart_ports == {"server": {"http": port, "metrics": 9101}, "worker": {"metrics": 9102}, "migrate": {}}
    assert metrics_ports == [("9101", "9102")] * 3
    assert {unit.name: f"CAIRN_PORT={port}" for unit in UNITS if "CAIRN_PORT" in read_source(unit)} == {}


@pytest.mark.accept("OPS-52")
def test_the_deploy_files_name_the_same_versions() -> None:
    services = compose_file()["services"]
    images = {container["image"] for _, _, container in pods(rendered_chart())}
    [postgres_major] = re.findall(r'"pginstall(\d+)"', read_source(Path(embedded.__file__)))

    assert {services[name]["image"] for name in ("server", "worker", "migrate")} == {f"cairn:{__version__}"} == images
    assert f"--tag cairn:{__version__} ." in DOCKERFILE
    assert {chart_info()["version"], chart_info()["appVersion"]} == {__version__}
    assert services["postgres"]["image"] == f"postgres:{postgres_major}"
    # Every image has a fixed version.
    assert [image for service in services.values() if "latest" in (image := service["image"]) or ":" not in image] == []


@pytest.mark.accept("OPS-53")
def test_the_image_contains_the_wheel_and_the_locked_packages_and_does_not_run_as_root() -> None:
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)[1:]
    [user] = re.findall(r"^USER (\d+):\d+$", stages[-1], re.MULTILINE)
    pod_users = {pod["securityContext"]["runAsUser"] for _, pod, _ in pods(rendered_chart())}

    assert len(stages) == 3
    assert "RUN make dist\n" in stages[0]
    assert "--no-deps --require-hashes --requirement /dist/requirements.txt" in stages[1]
    assert "cp requirements/run.txt dist/requirements.txt" in read_source(ROOT / "Makefile")
    assert "--no-index --no-deps /dist/*.whl" in stages[1]
    assert pod_users == {int(user)}
    assert f"useradd --uid {user} " in stages[-1]


@pytest.mark.accept("OPS-53")
def test_containers_have_a_read_only_root_and_no_capabilities() -> None:
    for service in ("server", "worker", "migrate"):
        compose_service = compose_file()["services"][service]
        assert compose_service["read_only"] is True, service
        assert compose_service["cap_drop"] == ["ALL"], service
        assert compose_service["tmpfs"] == ["/tmp"], service
    for component, pod, container in pods(rendered_chart()):
        assert pod["securityContext"]["runAsNonRoot"] is True, component
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]},
        }, component  # fmt: skip
        assert [mount["mountPath"] for mount in container["volumeMounts"]][:2] == ["/var/lib/cairn", "/tmp"], component


@pytest.mark.accept("OPS-54")
def test_the_chart_has_probes_budgets_a_migration_and_an_ingress() -> None:
    objects = rendered_chart()
    by_name = {(item["kind"], item["metadata"]["name"]): item for item in objects}
    [server] = [container for component, _, container in pods(objects) if component == "server"]

    assert set(by_name) == {
        ("Deployment", "waivers-server"), ("Deployment", "waivers-worker"), ("Job", "waivers-migrate"),
        ("Service", "waivers-server"), ("Ingress", "waivers"),
        ("PodDisruptionBudget", "waivers-server"), ("PodDisruptionBudget", "waivers-worker"),
    }  # fmt: skip
    assert server["livenessProbe"]["httpGet"] == {"path": "/health/live", "port": "http"}
    assert server["readinessProbe"]["httpGet"] == {"path": "/health/ready", "port": "http"}
    hooks = by_name["Job", "waivers-migrate"]["metadata"]["annotations"]
    assert hooks["helm.sh/hook"] == "pre-install,pre-upgrade"
    assert_selects_its_pods(by_name["Service", "waivers-server"]["spec"]["selector"], objects)
    for kind in ("server", "worker"):
        budget = by_name["PodDisruptionBudget", f"waivers-{kind}"]["spec"]
        assert budget["minAvailable"] < by_name["Deployment", f"waivers-{kind}"]["spec"]["replicas"]
        assert_selects_its_pods(budget["selector"]["matchLabels"], objects)


def assert_selects_its_pods(selector: dict[str, str], objects: list[dict[str, Any]]) -> None:
    labels = [item["spec"]["template"]["metadata"]["labels"] for item in objects if item["kind"] == "Deployment"]

    assert len([label for label in labels if selector.items() <= label.items()]) == 1


@pytest.mark.accept("OPS-54")
def test_the_secret_settings_of_the_chart_come_only_from_kubernetes_secrets() -> None:
    secret_settings = {
        name for name in variable_names(Settings) if re.search("SECRET|PASSWORD|KEY$|TOKEN|DATABASE__URL", name)
    }
    for component, _, container in pods(rendered_chart()):
        assert container["envFrom"] == [{"secretRef": {"name": "cairn-settings"}}], component
        assert variables(container).keys() & secret_settings == set(), component


def test_the_chart_renders_without_ingress_and_with_pull_secrets() -> None:
    objects = rendered_chart(ingress={"enabled": False}, imagePullSecrets=[{"name": "registry"}], podAnnotations={})

    assert [item for item in objects if item["kind"] == "Ingress"] == []
    assert all(pod["imagePullSecrets"] == [{"name": "registry"}] for _, pod, _ in pods(objects))
    assert len(list((CHART / "templates").glob("*.yaml"))) == 4


def test_the_chart_mounts_the_seal_key_of_the_operator() -> None:
    for component, pod, container in pods(rendered_chart(sealSecretName="our-seal")):
        assert pod["volumes"][-1]["secret"]["secretName"] == "our-seal", component
        assert container["volumeMounts"][-1]["mountPath"] == "/etc/cairn/seal", component
        assert variables(container)["CAIRN_DOCUMENTS__SEAL_PKCS12"] == "/etc/cairn/seal/seal.p12", component


@pytest.mark.accept("OPS-55")
def test_the_units_restart_and_share_their_hardening() -> None:
    settings = {unit.name: re.findall(r"^(\w+=.*)$", read_source(unit), re.MULTILINE) for unit in UNITS}
    own = ("Description=", "After=", "ExecStart=", "TimeoutStopSec=")
    shared = [[line for line in lines if not line.startswith(own)] for lines in settings.values()]

    assert set(settings) == {"cairn-server.service", "cairn-worker.service"}
    assert shared[0] == shared[1]
    assert {"Restart=always", "NoNewPrivileges=yes", "ProtectSystem=strict", "User=cairn"} <= set(shared[0])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="only machines with systemd have its checker")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        # The command of the unit is not installed here, so it is replaced with one that exists.
        text = re.sub(r"^ExecStart=\S+", f"ExecStart={shutil.which('true')}", read_source(unit), flags=re.MULTILINE)
        (tmp_path / unit.name).write_text(text, "utf-8")
    result = subprocess.run(
        ["systemd-analyze", "verify", *(tmp_path / unit.name for unit in UNITS)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (result.returncode, result.stderr) == (0, "")
