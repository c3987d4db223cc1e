"""What one idle server process holds, read from Linux."""

import re
from pathlib import Path

from bench.row import Row
from bench.server import Server


def measure(server: Server) -> Row:
    status = Path(f"/proc/{server.pid}/status").read_text()
    resident = re.search(r"VmRSS:\s+(\d+) kB", status)
    if resident is None:
        raise SystemExit("error: the memory of the server cannot be read")
    return Row("one idle server", int(resident[1]) / 1024, 150, "MB", "resident, after start", less_is_better=True)
