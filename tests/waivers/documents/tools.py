"""Runs third-party command-line tools that examine our documents."""

import subprocess
from pathlib import Path


def pdfsig(file: Path) -> str:
    return _run("pdfsig", "-nocert", str(file))


def qpdf_check(file: Path) -> str:
    return _run("qpdf", "--check", str(file))


def pdftotext(file: Path) -> str:
    return _run("pdftotext", "-layout", str(file), "-")


def _run(*command: str) -> str:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.stdout + result.stderr
