"""Declares and runs `cairn backup`."""

import argparse
import asyncio

from cairn.backup import back_up, read_passphrase
from cairn.commands.backup_arguments import add_backup_arguments
from cairn.settings import load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_backup_arguments(parser, "target", "an empty folder, or s3://bucket/prefix")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    passphrase = read_passphrase(args.passphrase_file, is_new=True)
    asyncio.run(back_up(load_settings(data=args.data), args.target, passphrase))
    return 0
