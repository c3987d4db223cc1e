"""Implements the command line: `cairn serve | worker | migrate | roles | keys | mailbox | doctor | verify | audit
| backup | restore | admin | demo`."""

import argparse
import asyncio
import contextlib
import json
import logging
import signal
import sys
from pathlib import Path
from uuid import UUID

import uvloop

from cairn import __version__
from cairn.admin import add_admin_commands
from cairn.audit import audit
from cairn.auth import Keyring
from cairn.backup import back_up, read_passphrase, restore
from cairn.db import SERVICE, Database, roles_script
from cairn.demo import create_sample_company
from cairn.doctor import examine
from cairn.kit import Problem
from cairn.logs import configure_logging
from cairn.messaging import KeptEmail, kept_emails
from cairn.secret_bundle import BUNDLE_WARNING, ROTATIONS, complete_bundle, rotate_secret, rotation_notice
from cairn.serve import (
    database_admin_url,
    database_urls,
    last_served_url,
    migrate_database,
    reload_on_change,
    serve,
    serve_one_of_several,
)
from cairn.settings import Settings, load_settings
from cairn.verify import verify_by_certificate, verify_by_data_folder
from cairn.worker import MAX_STOP_SECONDS, run_worker, stop_with_parent

_EXAMPLES = """\
examples:
  cairn serve --port 8080
  cairn doctor
  cairn backup /backups/monday
  cairn restore /backups/monday --data new-folder
  cairn keys --rotate signing-key
  cairn admin users list

The exit status is 0 if the command succeeded, 1 if it was refused or found something wrong, and 2 if its
arguments are wrong.
"""


def main(arguments: list[str] | None = None) -> None:
    args = _parser().parse_args(arguments)
    try:
        sys.exit(args.run(args))
    except Problem as problem:
        sys.exit(f"cairn: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)


def _load_settings(args: argparse.Namespace, **flags: object) -> Settings:
    settings = load_settings(data=args.data, **flags)
    configure_logging(settings.log)
    return settings


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cairn",
        description="Digital waivers for tour and outdoor businesses.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"cairn {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    serve_command = _command(commands, "serve", _serve, "run the whole product: database, web server and worker")
    serve_command.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    serve_command.add_argument("--port", type=int, help="port to listen on (default 8000)")
    serve_command.add_argument(
        "--no-worker", action="store_true", help="leave jobs to separate `cairn worker` processes"
    )
    serve_command.add_argument(
        "--processes",
        type=int,
        metavar="N",
        help="server processes that share the port (default 1)",
    )
    serve_command.add_argument("--listener", type=int, help=argparse.SUPPRESS)
    serve_command.add_argument("--process-number", type=int, help=argparse.SUPPRESS)
    serve_command.add_argument("--reload", action="store_true", help="restart when the code changes (development)")

    worker_command = _command(commands, "worker", _worker, "run jobs: send mail, render documents, deliver webhooks")
    worker_command.add_argument("--until-stdin-closes", action="store_true", help=argparse.SUPPRESS)

    migrate_command = _command(commands, "migrate", _migrate, "upgrade the database to this version's schema")
    migrate_command.add_argument(
        "--accept-other-secrets", action="store_true", help="go on with other secrets, because the old ones are lost"
    )

    _command(commands, "roles", _roles, "print the SQL that creates the database roles, for an administrator to run")

    keys_command = _command(commands, "keys", _keys, "print the URL and the keys that clients and operators need")
    form = keys_command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--bundle", action="store_true", help="print all secrets, for CAIRN_SECRETS")
    form.add_argument("--rotate", choices=ROTATIONS, metavar="NAME", help=f"replace one secret: {', '.join(ROTATIONS)}")

    mailbox_command = _command(
        commands, "mailbox", _mailbox, "show the latest emails that were kept for lack of a mail server"
    )
    mailbox_command.add_argument("--last", type=int, default=10, metavar="N", help="how many (default 10)")

    _command(commands, "doctor", _doctor, "check database, migrations, mail, storage and keys, and say what to fix")

    verify_command = _command(
        commands, "verify", _verify, "check whether a PDF is a sealed, unchanged document of this service"
    )
    verify_command.add_argument("file", type=Path, nargs="?", help="the PDF; without it, the whole history is checked")
    verify_command.add_argument(
        "--certificate", type=Path, help="certificates to trust instead of this data folder's (PEM)"
    )
    verify_command.add_argument("--offline", action="store_true", help="check the file alone, without the database")

    audit_command = _command(
        commands, "audit", _audit, "check all records, events, signed heads and documents, and print what is wrong"
    )
    audit_command.add_argument("--company", type=UUID, metavar="ID", help="check only this company")
    audit_command.add_argument(
        "--heads", type=Path, metavar="FILE", help="heads that were exported earlier, which must still be stored"
    )

    backup_command = _command(
        commands, "backup", _backup, "copy database, files and secrets to a folder or S3 bucket, and verify the copy"
    )
    backup_command.add_argument("target", help="an empty folder, or s3://bucket/prefix")
    restore_command = _command(
        commands, "restore", _restore, "restore a backup into an empty data folder and an empty database"
    )
    restore_command.add_argument("source", help="the folder of the backup, or s3://bucket/prefix")
    for command in (backup_command, restore_command):
        command.add_argument(
            "--passphrase-file", type=Path, metavar="FILE", help="the passphrase of the secrets; without it: a prompt"
        )

    add_admin_commands(commands)
    _command(commands, "demo", _demo, "create a sample company with a season of waivers, and print how to sign in")
    return parser


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, run: object, summary: str
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
    command.add_argument("--data", type=Path, help="the data folder (default ./cairn-data)")
    command.set_defaults(run=run)
    return command


def _serve(args: argparse.Namespace) -> int:
    names = ("data", "host", "port", "processes")
    flags = [f"--{name}={value}" for name in names if (value := getattr(args, name)) is not None]
    if args.reload:
        reload_on_change(["serve", *flags, *(["--no-worker"] if args.no_worker else [])])
        return 0
    settings = _load_settings(args, host=args.host, port=args.port, processes=args.processes)
    if args.listener is not None:
        uvloop.run(serve_one_of_several(settings, args.listener, args.process_number))
        return 0
    worker_command = ["worker", "--until-stdin-closes", f"--data={settings.data}"]
    server_command = ["serve", f"--data={settings.data}"]
    uvloop.run(
        serve(settings, with_worker=not args.no_worker, worker_command=worker_command, server_command=server_command)
    )
    return 0


def _worker(args: argparse.Namespace) -> int:
    settings = _load_settings(args)

    async def work() -> None:
        stop = asyncio.Event()
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(signal_number, stop.set)
        watcher = asyncio.create_task(stop_with_parent(stop, MAX_STOP_SECONDS)) if args.until_stdin_closes else None
        with database_urls(settings) as (_, login_url):
            await run_worker(settings, login_url, stop)
        if watcher is not None:
            watcher.cancel()

    uvloop.run(work())
    return 0


def _migrate(args: argparse.Namespace) -> int:
    settings = _load_settings(args)
    with database_urls(settings) as (admin_url, _):
        applied = asyncio.run(migrate_database(settings, admin_url, accept_other_secrets=args.accept_other_secrets))
    print("\n".join(f"applied {name}" for name in applied) or "nothing to do")  # noqa: T201 - the command's output
    return 0


def _roles(args: argparse.Namespace) -> int:
    settings = _load_settings(args)
    print(roles_script(database_admin_url(settings), settings.database.login_password.get_secret_value()))  # noqa: T201 - the command's output
    return 0


def _keys(args: argparse.Namespace) -> int:
    settings = _load_settings(args)
    if args.bundle or args.rotate:
        return _print_bundle(settings, args.rotate)
    keys = connection_details(settings)
    width = max(map(len, keys))
    lines = json.dumps(keys) if args.json else "\n".join(f"{name:<{width}}  {value}" for name, value in keys.items())
    with contextlib.suppress(BrokenPipeError):
        print(lines)  # noqa: T201 - the command's output
    return 0


def _print_bundle(settings: Settings, rotated_name: str | None) -> int:
    bundle = complete_bundle(settings) if rotated_name is None else rotate_secret(settings, rotated_name)
    notice = BUNDLE_WARNING if rotated_name is None else rotation_notice(rotated_name, bundle)
    print(f"cairn: {notice}", file=sys.stderr)  # noqa: T201 - the command's output
    if bundle is not None:
        print(json.dumps(bundle))  # noqa: T201 - the command's output
    return 0


def connection_details(settings: Settings) -> dict[str, str]:
    """Returns the URLs and keys that `cairn keys` prints.

    The URL of the embedded PostgreSQL works only while Cairn runs.
    """
    keyring = Keyring(settings.auth)
    return {
        "url": last_served_url(settings) or settings.auth.site_url,
        "anon_key": keyring.anon_key,
        "service_key": keyring.service_key,
        "jwt_secret": settings.auth.jwt_secret.get_secret_value(),
        "db_url": database_admin_url(settings),
    }


def _mailbox(args: argparse.Namespace) -> int:
    settings = _load_settings(args)

    async def load_emails(login_url: str) -> list[KeptEmail]:
        async with Database(login_url, pool_size=1) as database, database.acting_as(SERVICE, read_only=True) as conn:
            return await kept_emails(conn, args.last)

    with database_urls(settings) as (_, login_url):
        emails = asyncio.run(load_emails(login_url))
    for email in reversed(emails):
        print(f"{email.created_at:%Y-%m-%d %H:%M} to {email.recipient}: {email.subject}\n\n{email.body}\n")  # noqa: T201 - the command's output
    if not emails:
        print("no email was kept")  # noqa: T201 - the command's output
    return 0


def _doctor(args: argparse.Namespace) -> int:
    return asyncio.run(examine(_load_settings(args)))


def _verify(args: argparse.Namespace) -> int:
    if args.certificate is not None:
        return asyncio.run(verify_by_certificate(args.file, args.certificate))
    return asyncio.run(verify_by_data_folder(args.file, _load_settings(args), offline=args.offline))


def _audit(args: argparse.Namespace) -> int:
    return asyncio.run(audit(_load_settings(args), args.company, args.heads))


def _backup(args: argparse.Namespace) -> int:
    passphrase = read_passphrase(args.passphrase_file, is_new=True)
    asyncio.run(back_up(load_settings(data=args.data), args.target, passphrase))
    return 0


def _restore(args: argparse.Namespace) -> int:
    passphrase = read_passphrase(args.passphrase_file, is_new=False)
    asyncio.run(restore(args.source, args.data, passphrase))
    return 0


def _demo(args: argparse.Namespace) -> int:
    # Without this, every sample email would be logged.
    logging.getLogger("cairn").setLevel(logging.WARNING)
    accounts = asyncio.run(create_sample_company(_load_settings(args)))
    summary = (
        "Created the sample data." if accounts.is_new else "The sample data exists already; its password was changed."
    )
    lines = [
        summary,
        "",
        f"  company   {accounts.company_email}",
        f"  guest     {accounts.guest_email}",
        f"  password  {accounts.password}",
    ]
    print("\n".join(lines))  # noqa: T201 - the command's output
    return 0
