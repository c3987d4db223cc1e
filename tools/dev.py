"""Hot reload on both sides: `cairn serve --reload`, and Vite with the URL and the public key of that server."""

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
VENV = ROOT / ".venv" / "bin"
START_SECONDS = 60


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--data", default="cairn-data")
    options = parser.parse_args()
    serve = [VENV / "cairn", "serve", "--reload", "--port", str(options.port), "--data", options.data]
    server = subprocess.Popen(serve)
    try:
        wait_until_it_listens(server, options.port)
        browser_side = subprocess.Popen(
            ["npm", "run", "dev"], cwd=ROOT / "web", env=environment(options.port, options.data)
        )
        try:
            return browser_side.wait()
        finally:
            stop(browser_side)
    except KeyboardInterrupt:
        return 0
    finally:
        stop(server)


def wait_until_it_listens(server: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise SystemExit(server.returncode)
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.2)
    raise SystemExit(f"error: the server did not listen on port {port} within {START_SECONDS} s.")


def environment(port: int, data: str) -> dict[str, str]:
    printed = subprocess.run(
        [VENV / "cairn", "keys", "--json", "--data", data], capture_output=True, text=True, check=True
    )
    return {
        **os.environ,
        "PATH": f"{VENV}{os.pathsep}{os.environ['PATH']}",
        "CAIRN_ORIGIN": f"http://127.0.0.1:{port}",
        "CAIRN_ANON_KEY": json.loads(printed.stdout)["anon_key"],
    }


def stop(process: "subprocess.Popen[bytes]") -> None:
    """Ctrl-C reaches both processes; this stops the one that is left when the other exits without it."""
    if process.poll() is None:
        process.terminate()
    process.wait()


if __name__ == "__main__":
    sys.exit(main())
