"""Declares and runs `cairn audit`."""

import argparse
import asyncio
from pathlib import Path
from uuid import UUID

from cairn.audit import audit
from cairn.commands.data_folder import add_data_folder, load_command_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_folder(parser)
    parser.add_argument("--company", type=UUID, metavar="ID", help="check only this company")
    parser.add_argument(
        "--heads", type=Path, metavar="FILE", help="heads that were exported earlier, which must still be stored"
    )
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    return asyncio.run(audit(load_command_settings(args), args.company, args.heads))
