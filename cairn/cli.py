"""Implements the command line.

Together, the commands need nearly all modules of Cairn and of its libraries, which take about two seconds to import. So
the module of a command is imported only when that command runs.
"""

import argparse
import sys
from importlib import import_module
from typing import Any

from cairn import __version__

# The commands with their summaries, in the order of `cairn --help`. Each is a module of the package `cairn.commands`.
COMMANDS = {
    "serve": "run the whole product: database, web server and worker",
    "worker": "run jobs: send mail, render documents, deliver webhooks",
    "migrate": "upgrade the database to this version's schema",
    "roles": "print the SQL that creates the database roles, for an administrator to run",
    "keys": "print the URL and the keys that clients and operators need",
    "mailbox": "show the latest emails that were kept for lack of a mail server",
    "doctor": "check database, migrations, mail, storage and keys, and say what to fix",
    "verify": "check whether a PDF is a sealed, unchanged document of this service",
    "audit": "check all records, events, signed heads and documents, and print what is wrong",
    "backup": "copy database, files and secrets to a folder or S3 bucket, and verify the copy",
    "restore": "restore a backup into an empty data folder and an empty database",
    "admin": "manage users, companies, keys, the queue and the settings",
    "demo": "create a sample company with a season of waivers, and print how to sign in",
}
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
    from cairn.kit import Problem  # noqa: PLC0415 - it is expensive too, and `cairn --help` does not need it

    try:
        sys.exit(args.run(args))
    except Problem as problem:
        sys.exit(f"cairn: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cairn",
        description="Digital waivers for tour and outdoor businesses.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"cairn {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_CommandParser)
    for name, summary in COMMANDS.items():
        commands.add_parser(
            name, module=f"cairn.commands.{name}", help=summary, description=f"{summary[0].upper()}{summary[1:]}."
        )
    return parser


class _CommandParser(argparse.ArgumentParser):
    """Parses the arguments of one command, which the command's module declares."""

    def __init__(self, *, module: str, **options: Any) -> None:
        super().__init__(**options)
        self._module = module

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Imports the module first. The main parser calls this method only for the command that runs."""
        import_module(self._module).add_arguments(self)
        return super().parse_known_args(args, namespace)
