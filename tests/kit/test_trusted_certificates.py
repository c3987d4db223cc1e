"""The certificates that a client trusts are read once, because reading them blocks all other requests."""

import ast
from collections.abc import Iterator
from pathlib import Path

from cairn.kit import default_ssl_context


def test_all_clients_share_the_trusted_certificates() -> None:
    assert default_ssl_context() is default_ssl_context()


def test_no_client_reads_the_trusted_certificates_again(root: Path) -> None:
    calls = [
        call for file in (root / "cairn").rglob("*.py") for call in _new_clients(ast.parse(file.read_text("utf-8")))
    ]

    assert len(calls) > 5
    assert [ast.unparse(call) for call in calls if _reads_certificates(call)] == []


def _reads_certificates(call: ast.Call) -> bool:
    """httpx reads the certificates itself unless it gets an SSL context (`verify`) or a transport that has one."""
    return not {"verify", "transport"} & {keyword.arg for keyword in call.keywords}


def _new_clients(module: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("httpx.AsyncClient", "httpx.Client"):
            yield node
