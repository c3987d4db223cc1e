"""The command line: `cairn serve | worker | migrate | keys | mailbox | doctor | verify | demo`."""

import argparse
import asyncio
import contextlib
import json
import logging
import signal
import sys
from pathlib import Path

import uvloop

from cairn import __version__
from cairn.auth import Keyring
from cairn.db import SERVICE, Database, migrate
from cairn.demo import fill
from cairn.doctor import examine
from cairn.kit import Problem
from cairn.messaging import KeptEmail, kept_emails
from cairn.serve import admin_address, database_urls, last_address, reload_on_change, serve
from cairn.settings import Settings, load_settings
from cairn.verify import verify_alone, verify_here
from cairn.worker import parent_gone, run_worker


def main(arguments: list[str] | None = None) -> None:
    asked = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr)
    for chatty in ("httpx", "procrastinate", "uvicorn.error", "websockets"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    try:
        sys.exit(asked.run(asked))
    except Problem as problem:
        sys.exit(f"cairn: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cairn", description="Digital waivers for tour and outdoor businesses.")
    parser.add_argument("--version", action="version", version=f"cairn {__version__}")
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    serving = _verb(verbs, "serve", _serve, "run the whole product: database, web server and worker")
    serving.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    serving.add_argument("--port", type=int, help="port to listen on (default 8000)")
    serving.add_argument("--no-worker", action="store_true", help="leave jobs to separate `cairn worker` processes")
    serving.add_argument("--reload", action="store_true", help="start again when the code changes (development)")

    working = _verb(verbs, "worker", _worker, "run jobs: send mail and whatever else follows from what happened")
    working.add_argument("--until-stdin-closes", action="store_true", help=argparse.SUPPRESS)

    _verb(verbs, "migrate", _migrate, "bring the database to this version's schema")

    keys = _verb(verbs, "keys", _keys, "print what a client or an operator needs to connect")
    keys.add_argument("--json", action="store_true", help="for programs")

    mailbox = _verb(verbs, "mailbox", _mailbox, "show the latest mails that were kept because no mail server is set up")
    mailbox.add_argument("--last", type=int, default=10, metavar="N", help="how many (default 10)")

    _verb(verbs, "doctor", _doctor, "check database, migrations, mail, storage and keys, and say what to mend")

    verifying = _verb(verbs, "verify", _verify, "say whether a PDF is a sealed, unchanged document of this service")
    verifying.add_argument("file", type=Path, nargs="?", help="the PDF; without one the whole history is checked")
    verifying.add_argument("--certificate", type=Path, help="certificates to trust instead of this data folder's (PEM)")
    verifying.add_argument("--offline", action="store_true", help="ask the file alone, not the database")

    _verb(verbs, "demo", _demo, "make a sample company with a season behind it, and print how to sign in")
    return parser


def _verb(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, run: object, words: str
) -> argparse.ArgumentParser:
    verb = verbs.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
    verb.add_argument("--data", type=Path, help="the data folder (default ./cairn-data)")
    verb.set_defaults(run=run)
    return verb


def _serve(asked: argparse.Namespace) -> int:
    flags = [f"--{name}={value}" for name in ("data", "host", "port") if (value := getattr(asked, name)) is not None]
    if asked.reload:
        reload_on_change(["serve", *flags, *(["--no-worker"] if asked.no_worker else [])])
        return 0
    settings = load_settings(data=asked.data, host=asked.host, port=asked.port)
    command = ["worker", "--until-stdin-closes", f"--data={settings.data}"]
    uvloop.run(serve(settings, with_worker=not asked.no_worker, worker_command=command))
    return 0


def _worker(asked: argparse.Namespace) -> int:
    settings = load_settings(data=asked.data)

    async def work() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        watching = asyncio.create_task(parent_gone(stop)) if asked.until_stdin_closes else None
        with database_urls(settings) as (_, login_url):
            await run_worker(settings, login_url, stop)
        if watching is not None:
            watching.cancel()

    asyncio.run(work())
    return 0


def _migrate(asked: argparse.Namespace) -> int:
    settings = load_settings(data=asked.data)
    with database_urls(settings) as (admin_url, _):
        password = settings.database.login_password.get_secret_value()
        applied = asyncio.run(migrate(admin_url, login_password=password))
    print("\n".join(f"applied {name}" for name in applied) or "nothing to do")  # noqa: T201 - the command's answer
    return 0


def _keys(asked: argparse.Namespace) -> int:
    keys = connection_facts(load_settings(data=asked.data))
    width = max(map(len, keys))
    lines = json.dumps(keys) if asked.json else "\n".join(f"{name:<{width}}  {value}" for name, value in keys.items())
    with contextlib.suppress(BrokenPipeError):
        print(lines)  # noqa: T201 - the command's answer
    return 0


def connection_facts(settings: Settings) -> dict[str, str]:
    """The database's address is true while Cairn runs: the embedded server is up only then."""
    keyring = Keyring(settings.auth)
    return {
        "url": last_address(settings) or settings.auth.site_url,
        "anon_key": keyring.anon_key,
        "service_key": keyring.service_key,
        "jwt_secret": settings.auth.jwt_secret.get_secret_value(),
        "db_url": admin_address(settings),
    }


def _mailbox(asked: argparse.Namespace) -> int:
    settings = load_settings(data=asked.data)

    async def kept(login_url: str) -> list[KeptEmail]:
        async with Database(login_url, pool_size=1) as database, database.acting_as(SERVICE, read_only=True) as conn:
            return await kept_emails(conn, asked.last)

    with database_urls(settings) as (_, login_url):
        mails = asyncio.run(kept(login_url))
    for mail in reversed(mails):
        print(f"{mail.created_at:%Y-%m-%d %H:%M} to {mail.recipient}: {mail.subject}\n\n{mail.body}\n")  # noqa: T201 - the command's answer
    if not mails:
        print("no mail was kept")  # noqa: T201 - the command's answer
    return 0


def _doctor(asked: argparse.Namespace) -> int:
    return asyncio.run(examine(load_settings(data=asked.data)))


def _verify(asked: argparse.Namespace) -> int:
    if asked.certificate is not None:
        return asyncio.run(verify_alone(asked.file, asked.certificate))
    return asyncio.run(verify_here(asked.file, load_settings(data=asked.data), offline=asked.offline))


def _demo(asked: argparse.Namespace) -> int:
    # Each sample mail would be a line.
    logging.getLogger("cairn").setLevel(logging.WARNING)
    made = asyncio.run(fill(load_settings(data=asked.data)))
    news = "Sample data is in place." if made.is_new else "The sample data was there already; its password is new."
    print(  # noqa: T201 - the command's answer
        f"{news}\n\n  company   {made.company_email}\n  guest     {made.guest_email}\n  password  {made.password}"
    )
    return 0
