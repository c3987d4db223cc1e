"""Request bodies of 500 MB, for every service and every way in which a service reads a body."""

import asyncio
import re

from tests.abuse.honest import ATTACKER_ADDRESS
from tests.serving import RunningServer

BODY_BYTES = 500 * 1024 * 1024
CHUNK = b"[" + b"x" * 65_534 + b"]"
UPLOAD = "/storage/v1/object/profile-pictures/{user}/large.png"
TARGETS = [
    ("POST", "/auth/v1/signup"),
    ("POST", "/auth/v1/token?grant_type=password"),
    ("PUT", "/auth/v1/user"),
    ("POST", "/rest/v1/signed_waivers"),
    ("PATCH", "/rest/v1/waiver_sessions?id=eq.1"),
    ("POST", "/rest/v1/rpc/my_address"),
    ("GET", "/rest/v1/waiver_templates"),
    ("POST", UPLOAD),
    ("POST", "/storage/v1/object/list/profile-pictures"),
    ("POST", "/storage/v1/upload/resumable"),
    ("POST", "/functions/v1/verify-document"),
    ("POST", "/functions/v1/send-email"),
    ("POST", "/functions/v1/no-such-function"),
    ("POST", "/realtime/v1/api/broadcast"),
    ("POST", "/realtime/v1/api/broadcast/river/events/rise"),
    ("POST", "/billing/webhook/stripe"),
    ("POST", "/contact"),
    ("POST", "/reminders/stop/x"),
    ("GET", "/"),
    ("POST", "/no-such-page"),
]


async def stream_body(server: RunningServer, method: str, path: str, token: str, *, announced: bool) -> int:
    """Sends the body until the server closes the connection or all of it is sent, and returns the status.

    An `announced` body has a Content-Length. Any other body is sent in chunks.
    """
    host, port = server.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(ATTACKER_ADDRESS, 0))
    length = f"Content-Length: {BODY_BYTES}" if announced else "Transfer-Encoding: chunked"
    keys = f"apikey: {server.anon_key}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json"
    upload = "Tus-Resumable: 1.0.0\r\nUpload-Length: 1000000"
    writer.write(f"{method} {path} HTTP/1.1\r\nHost: cairn\r\n{length}\r\n{keys}\r\n{upload}\r\n\r\n".encode())
    part = CHUNK if announced else b"%x\r\n%b\r\n" % (len(CHUNK), CHUNK)
    response = asyncio.create_task(reader.read(4096))
    try:
        for _ in range(BODY_BYTES // len(CHUNK)):
            writer.write(part)
            await writer.drain()
            # Lets the response arrive before the connection is closed.
            await asyncio.sleep(0)
    except ConnectionError:
        pass
    status = re.match(rb"HTTP/1.1 (\d+)", await response)
    writer.close()
    assert status is not None, f"{method} {path} has no response"
    return int(status[1])
