"""Declares the arguments of `cairn admin` and runs its commands."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

from cairn.admin.check_settings import check_settings
from cairn.admin.confirm import confirm
from cairn.admin.context import AdminContext, open_context
from cairn.admin.erase_company import erase_company, keep_company
from cairn.admin.export_company import export_company
from cairn.admin.list_companies import list_companies
from cairn.admin.list_queue import list_queue
from cairn.admin.list_users import list_users
from cairn.admin.report import Report, render
from cairn.admin.reset_user import reset_user
from cairn.admin.retry_queue import retry_queue
from cairn.admin.rotate_key import rotate_key
from cairn.admin.show_keys import show_keys
from cairn.admin.show_settings import show_settings
from cairn.admin.suspend_company import resume_company, suspend_company
from cairn.admin.suspend_user import resume_user, suspend_user
from cairn.jobs import JOB_STATES
from cairn.logs import configure_logging
from cairn.secret_bundle import ROTATIONS
from cairn.settings import Settings, load_settings

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
CommandFunction = Callable[[AdminContext, argparse.Namespace], Awaitable[Report]]

_DEFAULT_LIMIT = 50
_EXAMPLES = """\
examples:
  cairn admin users list --search rosa
  cairn admin users reset rosa@rio-rafting.example
  cairn admin users suspend rosa@rio-rafting.example --yes
  cairn admin companies list --json
  cairn admin companies suspend 5b0e7c1e-6f0f-4a51-9c0e-2f4b5d1f9a10
  cairn admin companies export 5b0e7c1e-6f0f-4a51-9c0e-2f4b5d1f9a10 rio.zip
  cairn admin keys show
  cairn admin keys rotate storage-key
  cairn admin queue list --state failed
  cairn admin queue retry 17 18
  cairn admin settings check

The exit status is 0 if the command succeeded, 1 if it was refused or found something wrong, and 2 if its
arguments are wrong.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    groups = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=argparse.ArgumentParser
    )
    _add_users(_group(groups, "users", "list, reset, suspend and resume users"))
    _add_companies(_group(groups, "companies", "list, suspend, resume, export, erase and keep companies"))
    _add_keys(_group(groups, "keys", "show the keys that sign tokens and seal documents, and rotate secrets"))
    _add_queue(_group(groups, "queue", "list the jobs of the worker and retry failed ones"))
    _add_settings(_group(groups, "settings", "show the settings in effect, and check them"))


def _add_users(commands: Commands) -> None:
    listing = _add_database_command(
        commands, "list", "list the newest users", lambda c, a: list_users(c, a.search, a.limit)
    )
    _add_search(listing, "only users whose address or name contains TEXT")
    for name, summary, act, question in (
        ("reset", "print a link with which a user chooses a new password", reset_user, None),
        ("suspend", "end all sessions of a user, who then cannot sign in", suspend_user, "Suspend {user}?"),
        ("resume", "let a suspended user sign in again", resume_user, None),
    ):
        command = _add_database_command(commands, name, summary, _on_user(act), question)
        command.add_argument("user", metavar="USER", help="the email address or the id of the user")


def _add_companies(commands: Commands) -> None:
    listing = _add_database_command(
        commands, "list", "list the newest companies", lambda c, a: list_companies(c, a.search, a.limit)
    )
    _add_search(listing, "only companies whose name contains TEXT or whose id is TEXT")
    for name, summary, act, question in (
        (
            "suspend",
            "refuse all sending, changes and signatures of a company; its records stay readable",
            suspend_company,
            "Suspend company {company}? Its people cannot send or change anything, and its guests cannot sign.",
        ),
        ("resume", "end the suspension of a company", resume_company, None),
        (
            "erase",
            "schedule the deletion of a company and all its waivers, after the waiting period",
            erase_company,
            "Delete company {company} with all waivers after the waiting period?",
        ),
        ("keep", "cancel the scheduled deletion of a company", keep_company, None),
    ):
        command = _add_database_command(commands, name, summary, _on_company(act), question)
        _add_company(command)
    export = _add_database_command(
        commands,
        "export",
        "write all records of a company to a ZIP file",
        lambda c, a: export_company(c, a.company, a.file),
    )
    _add_company(export)
    export.add_argument("file", metavar="FILE", type=Path, help="the new ZIP file")


def _add_keys(commands: Commands) -> None:
    _add_database_command(commands, "show", "show the ids of the keys, without secrets", lambda c, _: show_keys(c))
    rotate = _add_command(
        commands, "rotate", "replace a secret by a new one; the old one stays valid where that is possible"
    )
    rotate.add_argument("name", metavar="NAME", choices=ROTATIONS, help=", ".join(ROTATIONS))
    _add_confirmation(rotate)
    rotate.set_defaults(run=_rotate)


def _add_queue(commands: Commands) -> None:
    listing = _add_database_command(
        commands, "list", "list the oldest jobs", lambda c, a: list_queue(c, a.state, a.limit)
    )
    listing.add_argument("--state", choices=list(JOB_STATES), help="only jobs in this state")
    _add_limit(listing)
    retry = _add_database_command(commands, "retry", "try failed jobs again", lambda c, a: retry_queue(c, a.job))
    jobs = retry.add_mutually_exclusive_group(required=True)
    jobs.add_argument("job", metavar="ID", type=int, nargs="*", default=[], help="the ids of the jobs")
    jobs.add_argument("--all", action="store_true", help="all failed jobs")


def _add_settings(commands: Commands) -> None:
    for name, summary, act in (
        ("show", "show the settings in effect and where they come from, without secrets", show_settings),
        ("check", "check the settings; the exit status is 0 only if they can be used", check_settings),
    ):
        _add_command(commands, name, summary).set_defaults(run=lambda args, act=act: _print(act(_load(args)), args))


def _on_user(act: Callable[[AdminContext, str], Awaitable[Report]]) -> CommandFunction:
    return lambda context, args: act(context, args.user)


def _on_company(act: Callable[[AdminContext, UUID], Awaitable[Report]]) -> CommandFunction:
    return lambda context, args: act(context, args.company)


def _group(groups: Commands, name: str, summary: str) -> Commands:
    group = groups.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    return group.add_subparsers(title="commands", metavar="COMMAND", required=True)


def _add_database_command(
    commands: Commands,
    name: str,
    summary: str,
    act: CommandFunction,
    question: str | None = None,
) -> argparse.ArgumentParser:
    """Adds a command that uses the database. With a `question`, it must be confirmed."""
    command = _add_command(commands, name, summary)
    if question is not None:
        _add_confirmation(command)
    command.set_defaults(run=lambda args: _run(args, act, question))
    return command


def _add_command(commands: Commands, name: str, summary: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    command.add_argument("--data", type=Path, help="the data folder (default ./cairn-data)")
    command.add_argument("--json", action="store_true", help="print JSON")
    return command


def _add_confirmation(command: argparse.ArgumentParser) -> None:
    command.add_argument("--yes", action="store_true", help="do not prompt for a confirmation")


def _add_search(command: argparse.ArgumentParser, summary: str) -> None:
    command.add_argument("--search", metavar="TEXT", default="", help=summary)
    _add_limit(command)


def _add_limit(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--limit", metavar="N", type=int, default=_DEFAULT_LIMIT, help=f"how many (default {_DEFAULT_LIMIT})"
    )


def _add_company(command: argparse.ArgumentParser) -> None:
    command.add_argument("company", metavar="COMPANY", type=UUID, help="the id of the company")


def _run(args: argparse.Namespace, act: CommandFunction, question: str | None) -> int:
    settings = _load(args)
    if question is not None:
        confirm(question.format(**vars(args)), is_confirmed=args.yes)

    async def report() -> Report:
        async with open_context(settings) as context:
            return await act(context, args)

    return _print(asyncio.run(report()), args)


def _rotate(args: argparse.Namespace) -> int:
    settings = _load(args)
    confirm(f"Replace the {args.name}? All servers and workers must be restarted.", is_confirmed=args.yes)
    return _print(rotate_key(settings, args.name), args)


def _load(args: argparse.Namespace) -> Settings:
    settings = load_settings(data=args.data)
    configure_logging(settings.log)
    return settings


def _print(report: Report, args: argparse.Namespace) -> int:
    print(render(report, as_json=args.json))  # noqa: T201 - the command's output
    return report.exit_code
