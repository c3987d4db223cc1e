"""The arguments that `cairn backup` and `cairn restore` have in common."""

import argparse
from pathlib import Path

from cairn.commands.data_folder import add_data_folder


def add_backup_arguments(parser: argparse.ArgumentParser, location: str, summary: str) -> None:
    """`location` is the name of the argument that says where the backup is."""
    add_data_folder(parser)
    parser.add_argument(location, help=summary)
    parser.add_argument(
        "--passphrase-file", type=Path, metavar="FILE", help="the passphrase of the secrets; without it: a prompt"
    )
