"""Declares and runs `cairn demo`."""

import argparse
import asyncio
import logging

from cairn.commands.data_folder import add_data_folder, load_command_settings
from cairn.demo import create_sample_company


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_folder(parser)
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    # Without this, every sample email would be logged.
    logging.getLogger("cairn").setLevel(logging.WARNING)
    accounts = asyncio.run(create_sample_company(load_command_settings(args)))
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
    print("\n".join(lines))
    return 0
