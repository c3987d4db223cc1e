"""Declares and runs `cairn migrate`."""

import argparse
import asyncio

from cairn.commands.data_folder import add_data_folder, load_command_settings
from cairn.serve import database_urls, migrate_database


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_folder(parser)
    parser.add_argument(
        "--accept-other-secrets", action="store_true", help="go on with other secrets, because the old ones are lost"
    )
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    settings = load_command_settings(args)
    with database_urls(settings) as (admin_url, _):
        applied = asyncio.run(migrate_database(settings, admin_url, accept_other_secrets=args.accept_other_secrets))
    print("\n".join(f"applied {name}" for name in applied) or "nothing to do")
    return 0
