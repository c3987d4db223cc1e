"""Runs nginx with TLS in front of several servers, as an operator does."""

import signal
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.messaging.mail_providers import certificate_for
from tests.serving import free_port

_CONFIGURATION = """
daemon off; user root; worker_processes 1; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    # Without an upgrade to a WebSocket, the connection to the server stays open.
    map $http_upgrade $connection_header {{ default upgrade; '' ''; }}
    upstream cairn {{ {servers} keepalive 8; }}
    server {{
        listen 127.0.0.1:{port} ssl;
        client_max_body_size 0;
        ssl_certificate {certificate}; ssl_certificate_key {certificate};
        location / {{
            proxy_pass http://cairn;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_header;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Proto $scheme;
        }}
    }}
}}
"""


class Nginx:
    def __init__(self, program: str, folder: Path, server_ports: Sequence[int]) -> None:
        self._folder, self._server_ports, self._port = folder, server_ports, free_port()
        self.url = f"https://127.0.0.1:{self._port}"
        self.certificate = certificate_for("127.0.0.1", folder)
        self._write_configuration(())
        self.process = subprocess.Popen([program, "-c", str(folder / "nginx.conf"), "-p", str(folder)])

    def tls(self) -> ssl.SSLContext:
        """Returns a context that trusts the certificate of this proxy."""
        return ssl.create_default_context(cafile=str(self.certificate))

    def reload(self, *, down: Sequence[int] = ()) -> None:
        """Sends new requests only to the servers whose ports are not `down`. Requests that have begun are finished."""
        self._write_configuration(down)
        self.process.send_signal(signal.SIGHUP)

    def _write_configuration(self, down: Sequence[int]) -> None:
        servers = [f"server 127.0.0.1:{port}{' down' if port in down else ''};" for port in self._server_ports]
        configuration = _CONFIGURATION.format(
            folder=self._folder, certificate=self.certificate, port=self._port, servers=" ".join(servers)
        )
        (self._folder / "nginx.conf").write_text(configuration)


@contextmanager
def running_nginx(program: str, folder: Path, server_ports: Sequence[int]) -> Iterator[Nginx]:
    folder.mkdir()
    nginx = Nginx(program, folder, server_ports)
    try:
        yield nginx
    finally:
        nginx.process.terminate()
        nginx.process.wait(10)
