"""Declares and runs `cairn restore`."""

import argparse
import asyncio

from cairn.backup import read_passphrase, restore
from cairn.commands.backup_arguments import add_backup_arguments


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_backup_arguments(parser, "source", "the folder of the backup, or s3://bucket/prefix")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    passphrase = read_passphrase(args.passphrase_file, is_new=False)
    asyncio.run(restore(args.source, args.data, passphrase))
    return 0
