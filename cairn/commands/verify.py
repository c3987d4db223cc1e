"""Declares and runs `cairn verify`."""

import argparse
import asyncio
from pathlib import Path

from cairn.commands.data_folder import add_data_folder, load_command_settings
from cairn.verify import verify_by_certificate, verify_by_data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_folder(parser)
    parser.add_argument("file", type=Path, nargs="?", help="the PDF; without it, all evidence is checked")
    parser.add_argument("--certificate", type=Path, help="certificates to trust instead of this data folder's (PEM)")
    parser.add_argument("--offline", action="store_true", help="check the file alone, without the database")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    if args.certificate is not None:
        return asyncio.run(verify_by_certificate(args.file, args.certificate))
    return asyncio.run(verify_by_data_folder(args.file, load_command_settings(args), offline=args.offline))
