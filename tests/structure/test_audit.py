"""`make audit` reports advisories about locked packages, and says so if it cannot check them."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.serving import free_port
from tests.structure.tree import ROOT
from tools.audit import ADVISORIES_FOUND, NOT_REACHABLE, Package, locked_packages, main

ADVISORY = {
    "id": "GHSA-1111",
    "summary": "Pillow executes pictures",
    "affected": [{"package": {"name": "pillow"}, "ranges": [{"events": [{"introduced": "0"}, {"fixed": "99.1"}]}]}],
}


class AdvisoryDatabase(BaseHTTPRequestHandler):
    """Speaks the protocol of OSV. It knows one advisory, about pillow, and sends it on the second page."""

    def do_POST(self) -> None:
        queries = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
        self._send({"results": [self._result(query) for query in queries]})

    def do_GET(self) -> None:
        self._send(ADVISORY)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        pass

    def _result(self, query: dict[str, object]) -> dict[str, object]:
        if query["package"] != {"name": "pillow", "ecosystem": "PyPI"}:
            return {}
        return {"vulns": [{"id": "GHSA-1111"}]} if query.get("page_token") == "2" else {"next_page_token": "2"}

    def _send(self, content: object) -> None:
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def advisory_database(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    server = HTTPServer(("127.0.0.1", 0), AdvisoryDatabase)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("CAIRN_ADVISORIES_URL", f"http://127.0.0.1:{server.server_port}")
    yield
    server.shutdown()
    thread.join()
    server.server_close()


def write_lock_files(root: Path, requirements: str) -> Path:
    (root / "requirements").mkdir()
    (root / "requirements" / "dev.txt").write_text(requirements)
    (root / "web").mkdir()
    npm_packages = {
        "": {"name": "cairn-web"},
        "node_modules/react": {"version": "19.3.1"},
        "node_modules/a/node_modules/@scope/b": {"version": "2.0.0"},
        "node_modules/alias": {"name": "original", "version": "3.0.0"},
    }
    (root / "web" / "package-lock.json").write_text(json.dumps({"packages": npm_packages}))
    return root


@pytest.mark.usefixtures("advisory_database")
@pytest.mark.accept("SAFE-26")
def test_an_advisory_about_a_locked_package_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_lock_files(tmp_path, "pillow==12.0.1 \\\n    --hash=sha256:00\n")

    assert main(root) == ADVISORIES_FOUND
    assert capsys.readouterr().out == (
        "PyPI pillow 12.0.1: GHSA-1111, Pillow executes pictures (fixed in 99.1)\n"
        "Checked 4 locked packages: advisories concern 1 of them.\n"
    )


@pytest.mark.usefixtures("advisory_database")
def test_packages_without_advisories_pass(tmp_path: Path) -> None:
    assert main(write_lock_files(tmp_path, "httpx==0.28.1 ; python_version > '3'\n")) == 0


def test_an_unreachable_database_has_its_own_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CAIRN_ADVISORIES_URL", f"http://127.0.0.1:{free_port()}")

    assert main() == NOT_REACHABLE
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("Nothing was checked: the database of advisories at http://127.0.0.1:")


def test_every_kind_of_locked_package_is_found(tmp_path: Path) -> None:
    root = write_lock_files(tmp_path, "psycopg[binary]==3.3.0 ; sys_platform != 'win32' \\\n    --hash=sha256:00\n")

    assert locked_packages(root) == [
        Package("PyPI", "psycopg", "3.3.0"),
        Package("npm", "@scope/b", "2.0.0"),
        Package("npm", "original", "3.0.0"),
        Package("npm", "react", "19.3.1"),
    ]


def test_the_packages_of_this_project_are_found() -> None:
    packages = locked_packages(ROOT)

    assert {"PyPI", "npm"} == {package.ecosystem for package in packages}
    assert {"starlette", "react"} <= {package.name for package in packages}
