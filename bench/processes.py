"""Compares how fast a server of two processes and a server of one return the list that the dashboard shows."""

import os
import tempfile
from pathlib import Path

from bench import load
from bench.listing import NEWEST_SESSIONS_PATH
from bench.row import Row
from bench.server import running_server

PROCESS_COUNT, CLIENT_COUNT = 2, 16
# The load generator and PostgreSQL need cores of their own.
_CORES_NEEDED = PROCESS_COUNT + 2


async def measure(seconds: int) -> Row:
    rates = [await _rate(processes, seconds) for processes in (1, PROCESS_COUNT)]
    cores = os.cpu_count() or 1
    enough = cores >= _CORES_NEEDED
    details = f"{rates[1]:.0f} a second, one process {rates[0]:.0f}; {CLIENT_COUNT} clients, {cores} cores"
    if not enough:
        details += ", which load generator, PostgreSQL and server share"
    goal = 1.6 if enough else None
    return Row("list with two processes", rates[1] / rates[0], goal=goal, unit="of one process", details=details)


async def _rate(processes: int, seconds: int) -> float:
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder), {"CAIRN_PROCESSES": str(processes)}, worker=False) as server,
    ):
        token, _ = server.sign_up_company()
        request = load.build_request("GET", NEWEST_SESSIONS_PATH, server.headers(token))
        # The first second is a warm-up.
        for duration in (1, seconds):
            rate = await load.measure_rate(server.port, CLIENT_COUNT, duration, lambda: request, 200)
        return rate
