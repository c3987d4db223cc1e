"""Runs the server and the web app with hot reload: `cairn serve --reload`, and Vite connected to that server."""

import argparse
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
VENV_BIN = ROOT / ".venv" / "bin"
START_TIMEOUT_SECONDS = 60


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--data", default="cairn-data")
    options = parser.parse_args()
    serve_command = [VENV_BIN / "cairn", "serve", "--reload", "--port", str(options.port), "--data", options.data]
    server = subprocess.Popen(serve_command)
    try:
        wait_until_listening(server, options.port)
        vite = subprocess.Popen(
            ["npm", "run", "dev"], cwd=ROOT / "web", env=vite_environment(options.port, options.data)
        )
        try:
            return vite.wait()
        finally:
            stop(vite)
    except KeyboardInterrupt:
        return 0
    finally:
        stop(server)


def wait_until_listening(server: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise SystemExit(server.returncode)
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.2)
    raise SystemExit(f"error: the server did not listen on port {port} within {START_TIMEOUT_SECONDS} s.")


def vite_environment(port: int, data: str) -> dict[str, str]:
    keys = subprocess.run(
        [VENV_BIN / "cairn", "keys", "--json", "--data", data], capture_output=True, text=True, check=True
    )
    return {
        **os.environ,
        "PATH": f"{VENV_BIN}{os.pathsep}{os.environ['PATH']}",
        "CAIRN_ORIGIN": f"http://127.0.0.1:{port}",
        "CAIRN_ANON_KEY": json.loads(keys.stdout)["anon_key"],
    }


def stop(process: "subprocess.Popen[bytes]") -> None:
    """Stops the process if it is still running. Ctrl-C stops both processes, but either may also exit by itself."""
    if process.poll() is None:
        process.terminate()
    process.wait()


if __name__ == "__main__":
    sys.exit(main())
