"""Tools nobody here wrote, asked about our documents."""

import subprocess
from pathlib import Path


def pdfsig(file: Path) -> str:
    return _say("pdfsig", "-nocert", str(file))


def qpdf_check(file: Path) -> str:
    return _say("qpdf", "--check", str(file))


def pdftotext(file: Path) -> str:
    return _say("pdftotext", "-layout", str(file), "-")


def _say(*command: str) -> str:
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    return told.stdout + told.stderr
