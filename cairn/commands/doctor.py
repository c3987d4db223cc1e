"""Declares and runs `cairn doctor`."""

import argparse
import asyncio

from cairn.commands.data_folder import add_data_folder, load_command_settings
from cairn.doctor import examine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_folder(parser)
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    return asyncio.run(examine(load_command_settings(args)))
