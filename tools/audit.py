"""Compares the locked packages of Python and npm with published security advisories.

The advisories come from OSV (osv.dev), which collects those of PyPI, npm and GitHub. `CAIRN_ADVISORIES_URL` chooses
another server with the same API. Exit codes: 0 if no advisory concerns a locked version, 1 if one does, 3 if the
database of advisories cannot be reached.
"""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx

ROOT = Path(__file__).parent.parent
ADVISORIES_FOUND = 1
NOT_REACHABLE = 3
_DEFAULT_URL = "https://api.osv.dev"
_TIMEOUT_SECONDS = 30.0
_MAX_QUERIES = 1000
"""The largest number of packages in one request to OSV."""

_REQUIREMENT = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(?P<version>[^\s;\\]+)", re.MULTILINE)
_NPM_FOLDER = "node_modules/"


class Package(NamedTuple):
    """A locked package. `ecosystem` is OSV's name for the package index."""

    ecosystem: str
    name: str
    version: str


def main(root: Path = ROOT) -> int:
    packages = locked_packages(root)
    url = os.environ.get("CAIRN_ADVISORIES_URL", _DEFAULT_URL)
    try:
        with httpx.Client(base_url=url, timeout=_TIMEOUT_SECONDS) as http:
            ids_by_package = find_advisories(http, packages)
            for package, ids in ids_by_package.items():
                for advisory_id in ids:
                    print(describe(package, _fetch(http.get(f"/v1/vulns/{advisory_id}"))))
    except (httpx.HTTPError, ValueError) as error:
        print(f"Nothing was checked: the database of advisories at {url} cannot be reached ({error}).", file=sys.stderr)
        return NOT_REACHABLE
    print(f"Checked {len(packages)} locked packages: advisories concern {len(ids_by_package)} of them.")
    return ADVISORIES_FOUND if ids_by_package else 0


def locked_packages(root: Path) -> list[Package]:
    """Returns the packages of the lock files, including those that are only used for development."""
    requirements = (root / "requirements" / "dev.txt").read_text("utf-8")
    lock = json.loads((root / "web" / "package-lock.json").read_text("utf-8"))
    python_packages = {
        Package("PyPI", match["name"], match["version"]) for match in _REQUIREMENT.finditer(requirements)
    }
    return sorted(python_packages | set(_npm_packages(lock["packages"])))


def _npm_packages(locked: dict[str, dict[str, Any]]) -> Iterator[Package]:
    for path, entry in locked.items():
        if _NPM_FOLDER in path and not entry.get("link"):
            # `name` differs from the folder if the package is installed under another name.
            yield Package("npm", entry.get("name") or path.rpartition(_NPM_FOLDER)[2], entry["version"])


def find_advisories(http: httpx.Client, packages: Iterable[Package]) -> dict[Package, list[str]]:
    """Returns the ids of the advisories by package, for the packages that have any."""
    ids: dict[Package, list[str]] = {}
    waiting = [(package, "") for package in packages]
    while waiting:
        batch, waiting = waiting[:_MAX_QUERIES], waiting[_MAX_QUERIES:]
        queries = [_query(package, page_token) for package, page_token in batch]
        results = _fetch(http.post("/v1/querybatch", json={"queries": queries}))["results"]
        for (package, _), result in zip(batch, results, strict=True):
            if found := [advisory["id"] for advisory in result.get("vulns", ())]:
                ids.setdefault(package, []).extend(found)
            if page_token := result.get("next_page_token"):
                waiting.append((package, page_token))
    return ids


def _query(package: Package, page_token: str) -> dict[str, Any]:
    query = {"package": {"name": package.name, "ecosystem": package.ecosystem}, "version": package.version}
    return {**query, "page_token": page_token} if page_token else query


def _fetch(response: httpx.Response) -> Any:
    return response.raise_for_status().json()


def describe(package: Package, advisory: dict[str, Any]) -> str:
    fixed_versions = [
        event["fixed"]
        for affected in advisory.get("affected", ())
        if affected.get("package", {}).get("name") == package.name
        for version_range in affected.get("ranges", ())
        for event in version_range.get("events", ())
        if "fixed" in event
    ]
    fix = f"fixed in {', '.join(fixed_versions)}" if fixed_versions else "not fixed yet"
    summary = advisory.get("summary") or "no summary"
    return f"{package.ecosystem} {package.name} {package.version}: {advisory['id']}, {summary} ({fix})"


if __name__ == "__main__":
    raise SystemExit(main())
