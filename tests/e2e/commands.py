"""Runs the examples that the pages show."""

import asyncio
import subprocess


async def run_command(command: list[str], environment: dict[str, str]) -> str:
    """Returns the output of a command that must succeed."""
    process = await asyncio.to_thread(
        subprocess.run, command, env=environment, capture_output=True, text=True, check=False, timeout=30
    )
    assert process.returncode == 0, process.stderr
    return process.stdout
